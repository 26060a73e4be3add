export { costOf } from './cost.ts'
export { parseInlineMarkdown, parseMarkdown, parseMarkdownFragment, type ParsedMarkdown } from './parse.ts'
export { serializeBlock, serializeInline, serializeMarkdown, type SerializeOptions } from './serialize.ts'
