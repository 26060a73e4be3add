export { type Fitted, fitContent } from './attributes/fit-content.ts'
export { fitAttributes, unfitAttributes } from './attributes/fit.ts'
export { attributeTable, blockLimits } from './attributes/table.ts'
export { captionLink, readCaption } from './caption.ts'
export { isCssColor } from './colors.ts'
export { reviewExtensions, schema, schemaExtensions } from './extensions.ts'
export { retainDeletedTypes } from './forwarding/retain-deleted-types.ts'
export { createTypingForwarder, type TypingForwarder } from './forwarding/typing-forwarder.ts'
export { fencedFrontmatter, isFrontmatter } from './frontmatter.ts'
export { alignEnds, type Differing, differing, heaviestPairs, type Pair } from './diff/sequence.ts'
export { diffText, type Hunk } from './diff/text.ts'
export { headingAddress, headingAddresses } from './heading-addresses.ts'
export { isSafeUrl, linkProtocols } from './links.ts'
export { reviewMarkNames } from './marks/review.ts'
export {
  contentName,
  contentTypes,
  type DocumentName,
  longestTitle,
  parseDocumentName,
  roomName,
  roomTypes,
  SCHEMA_VERSION,
} from './names.ts'
export { AGENT_MENTION, Mention, type MentionAttributes } from './nodes/mention.ts'
export { columnWidths, fullTableWidth, setColumnWidths, spreadColumnWidths, tableSizes } from './nodes/table.ts'
export { type ChangesView, isShown, resolveChanges } from './resolve-changes.ts'
export {
  type NodeSuggestion,
  readSuggestions,
  readThreads,
  writeSuggestions,
  writeThreads,
} from './review-attributes.ts'
export { compareDocuments } from './review/compare-documents.ts'
export { decideBlocks, decideChanges, type DecidedBlocks } from './review/decide-changes.ts'
export { type ChangeWords, englishWords } from './review/describe.ts'
export { readChangeIds, readChanges, type SuggestedChange } from './review/read-changes.ts'
export { stripChanges } from './review/strip-changes.ts'
export { type InlineReplacement, suggestReplacements } from './review/track/suggest-replacement.ts'
export { trackChanges, type TrackOptions } from './review/track/track-changes.ts'
export type { AddedItem, YType } from './yjs/added-item.ts'
export { checkAdded, checkAttributes } from './yjs/check-added.ts'
export { completeContainers, isIncomplete } from './yjs/complete-containers.ts'
export { type IdSpan, readIdSpans, valuesOfSpans } from './yjs/id-spans.ts'
export { nestsTooDeep } from './yjs/nesting.ts'
export { readBlock, readFragment, type ReadProblem, type ReadResult, type YMapping } from './yjs/read-fragment.ts'
export { type BindingMetadata, createBindingMetadata, writeFragment } from './yjs/write-fragment.ts'
