const blockTags = 'p|h[1-6]|ul|ol|li|dl|div|section|article|blockquote|pre|table|figure|hr|html|body|main'
const inlineTags = 'a|b|strong|i|em|s|del|code|span|small|sub|sup|br|img|font'

const anyTag = new RegExp(String.raw`</?(?:${blockTags}|${inlineTags})(?:\s[^<>]*)?/?>`, 'i')

/** Whether a line holds HTML tags that are no markdown notation of this product (`<u>`, `<mark>`). */
export function holdsTags(line: string): boolean {
  return anyTag.test(line) && !line.includes('`')
}
