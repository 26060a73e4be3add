export { briefToolSchemas, sharedArguments } from './brief-schema.ts'
export { catalogue } from './catalogue/index.ts'
export { defineTool, type Need, type Tool, type ToolDefinition } from './define-tool.ts'
export { type DocumentExcerpt, excerptDocument } from './document-excerpt.ts'
export { type DocumentInfo, documentInfo, type OutlineHeading, summarizeOutline } from './document-info.ts'
export { executeToolCall, findTool } from './execute-tool-call.ts'
export { createHeadlessHost, type HeadlessHostOptions } from './headless/headless-host.ts'
export { type HeadlessSessionOptions, openHeadlessSession } from './headless/headless-session.ts'
export { defaultLimits, type ToolLimits } from './limits.ts'
export { createOffer } from './offer-tools.ts'
export {
  failure,
  shorten,
  success,
  type TextChange,
  type ToolErrorCode,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
} from './result.ts'
export { contextOf, findQuote, type QuoteInContext } from './review/find-quote.ts'
export { flatTextOf } from './review/flat-text.ts'
export { anchorOf, findThreadRanges, markThread, unmarkThread } from './review/thread-marks.ts'
export { caretAt, type CaretPosition, type LiveSelection, resolveSelection } from './session/caret.ts'
export type { Range } from './session/changed-ranges.ts'
export type { ChangePlan, DocumentUpdate } from './session/commit.ts'
export type { AuthorOf, StoredCoordinates } from './session/coordinates.ts'
export type {
  EarlierRun,
  EarlierStep,
  HighlightHandle,
  HistoryHost,
  HostAuthor,
  HostThread,
  Outcome,
  ReviewHost,
} from './session/host.ts'
export type { ProjectEntry, ProjectHost, ProjectMatch, ProjectSearch } from './session/project-host.ts'
export { type StreamedCall, streamToolCall } from './stream/stream-tool-call.ts'
export { createDocumentSession, type DocumentSession } from './session/document-session.ts'
export { createNamedAddresses } from './session/named-addresses.ts'
export type { DocumentSessionOptions, SessionMode, ToolCallContext } from './session/session-options.ts'
export type { DocumentView } from './session/document-view.ts'
export { createFragmentReader, type FragmentReader } from './session/reader.ts'
export { writeBlocks } from './session/write-blocks.ts'
export { applyTransform } from './session/write-steps.ts'
export { getSystemContext } from './system-context.ts'
export { cutText } from './text/window.ts'
export { describeTools } from './tool-docs.ts'
export {
  type JsonSchema,
  toAnthropicTools,
  toGeminiTools,
  toOpenAITools,
  toolSchemas,
  type ToolSchemas,
} from './tool-schemas.ts'
