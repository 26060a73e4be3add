export { serializeHtml, type SerializeHtmlOptions } from './serialize.ts'
