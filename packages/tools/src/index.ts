export { catalogue } from './catalogue/index.ts'
export { defineTool, type Tool, type ToolDefinition } from './define-tool.ts'
export { type DocumentInfo, documentInfo, type OutlineHeading, summarizeOutline } from './document-info.ts'
export { executeToolCall, findTool } from './execute-tool-call.ts'
export { defaultLimits, type ToolLimits } from './limits.ts'
export {
  failure,
  success,
  type TextChange,
  type ToolErrorCode,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
} from './result.ts'
export type { CaretPosition, LiveSelection } from './session/caret.ts'
export type { ChangePlan } from './session/commit.ts'
export type { AuthorOf, StoredCoordinates } from './session/coordinates.ts'
export { createDocumentSession, type DocumentSession } from './session/document-session.ts'
export type { DocumentSessionOptions, SessionMode, ToolCallContext } from './session/session-options.ts'
export type { DocumentView } from './session/document-view.ts'
export {
  type JsonSchema,
  toAnthropicTools,
  toGeminiTools,
  toOpenAITools,
  toolSchemas,
  type ToolSchemas,
} from './tool-schemas.ts'
