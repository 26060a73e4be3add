/**
 * A suggested change in the content, from all marks and attributes with its id. `before` is the plain text that it
 * removes, `after` the text that it adds (for formatting: the text, with `before` and `after` naming the format);
 * `from` and `to` are the ProseMirror positions that it spans.
 */
export type SuggestedChange = {
  id: string
  type: 'insertion' | 'deletion' | 'replacement' | 'formatting' | 'block'
  before: string
  after: string
  from: number
  to: number
}
