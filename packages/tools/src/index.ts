export { briefToolSchemas, sharedArguments } from './tool/brief-schema.ts'
export { catalogue } from './catalogue/index.ts'
export { defineTool, type Need, type Tool, type ToolDefinition, variablesFor } from './tool/define-tool.ts'
export { type DocumentExcerpt, excerptDocument } from './context/document-excerpt.ts'
export { type DocumentInfo, documentInfo, type OutlineHeading, summarizeOutline } from './context/document-info.ts'
export { executeToolCall, findTool } from './calls/execute-tool-call.ts'
export { createHeadlessHost, type HeadlessHostOptions } from './headless/headless-host.ts'
export { type HeadlessSessionOptions, openHeadlessSession } from './headless/headless-session.ts'
export { counted, inEnglish, type Localizable, localizable } from './common/localizable.ts'
export { defaultLimits, limitRanges, type ToolLimits } from './common/limits.ts'
export { createOffer } from './tool/offer-tools.ts'
export {
  failure,
  shorten,
  success,
  type TextChange,
  type ToolErrorCode,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
} from './common/result.ts'
export { contextOf, findQuote, type QuoteInContext } from './review/find-quote.ts'
export { flatTextOf } from './review/flat-text.ts'
export { anchorOf, findThreadRanges, markThread, unmarkThread } from './review/thread-marks.ts'
export { caretAt, type CaretPosition, type LiveSelection, resolveSelection } from './session/host/caret.ts'
export type { Range } from './document/changed-ranges.ts'
export type { ChangePlan, DocumentUpdate } from './session/commit/commit.ts'
export type { AuthorOf, StoredCoordinates } from './session/numbers/coordinates.ts'
export type {
  EarlierRun,
  EarlierStep,
  HighlightHandle,
  HistoryHost,
  HostAuthor,
  HostThread,
  Outcome,
  ReviewHost,
} from './session/host/host.ts'
export type {
  ProjectEntry,
  ProjectHost,
  ProjectMatch,
  ProjectSearch,
  IndexState,
  ProjectPlace,
  ProjectSymbols,
  SymbolType,
  FileChange,
  FileOutcome,
  ProjectWriting,
} from './session/host/project-host.ts'
export { type StreamedCall, streamToolCall } from './calls/stream-tool-call.ts'
export { createDocumentSession, type DocumentSession } from './session/document-session.ts'
export { createNamedAddresses, createSpelledOut } from './session/egress/named-addresses.ts'
export { reasonsToAsk } from './session/egress/reasons.ts'
export type { ImageResult, ImagesFound, WebHost, WebPage, WebResult } from './session/host/web-host.ts'
export type { DocumentSessionOptions, SessionMode, ToolCallContext } from './session/host/session-options.ts'
export type { DocumentView } from './document/document-view.ts'
export { createFragmentReader, type FragmentReader } from './document/reader.ts'
export { writeBlocks } from './session/write/write-blocks.ts'
export { applyTransform } from './session/write/write-steps.ts'
export { getSystemContext } from './context/system-context.ts'
export { cutText } from './text/window.ts'
export { describeTools } from './tool/tool-docs.ts'
export {
  type JsonSchema,
  toAnthropicTools,
  toGeminiTools,
  toOpenAITools,
  toolSchemas,
  type ToolSchemas,
} from './tool/tool-schemas.ts'
