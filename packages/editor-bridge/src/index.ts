export type { BridgedEditor } from './bridge-session.ts'
export {
  type BridgeChange,
  createEditorBridge,
  type EditorBridge,
  type EditorBridgeOptions,
  type HighlightHandle,
} from './create-editor-bridge.ts'
export type { SelectionContext } from './selection-context.ts'
export type { Target } from './targets.ts'
