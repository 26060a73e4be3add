export type { BridgedEditor } from './bridge-session.ts'
export {
  type BridgeChange,
  createEditorBridge,
  type EditorBridge,
  type EditorBridgeOptions,
  type HighlightHandle,
  type Target,
  type SelectionContext,
} from './create-editor-bridge.ts'
