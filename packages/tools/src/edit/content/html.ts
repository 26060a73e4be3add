const blockTags = 'p|h[1-6]|ul|ol|li|dl|div|section|article|blockquote|pre|table|figure|img|hr|html|body|main'
const inlineTags = 'a|b|strong|i|em|s|del|code|span|small|sub|sup|br|img|font'

const blockStart = new RegExp(String.raw`^\s*(?:<!doctype[^>]*>\s*)?<(?:${blockTags})(?:\s[^<>]*)?/?>`, 'i')
const anyTag = new RegExp(String.raw`</?(?:${blockTags}|${inlineTags})(?:\s[^<>]*)?/?>`, 'i')

const formatted = /<(b|strong|i|em|s|del|code)>[^<>]+<\/\1>/i

/**
 * Whether content is HTML rather than markdown: it begins with the tag of a block and ends with a tag, or is one line
 * with tags of formats and without markup of markdown.
 */
export function isHtml(content: string): boolean {
  if (blockStart.test(content)) return /<\/?[a-z][^<>]*>\s*$/i.test(content)
  return formatted.test(content) && !/[\n`*~]/.test(content)
}

/** Whether a line contains HTML tags that are not part of this product's markdown (`<u>`, `<mark>`). */
export function holdsTags(line: string): boolean {
  return anyTag.test(line) && !line.includes('`')
}
