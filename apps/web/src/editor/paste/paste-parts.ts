type Markdown = typeof import('@copydesk/schema/markdown')
type Html = typeof import('./clean-html.ts')

/** The readers of HTML and markdown, undefined until they are loaded. */
export type PasteParts = {
  html: Html | undefined
  markdown: Markdown | undefined
  /** Loads both; one that can't be fetched stays undefined and is tried again the next time. */
  load: () => Promise<void>
}

/** Readers for pasted content, loaded separately since an open document doesn't need them at first. */
export function createPasteParts(): PasteParts {
  const parts: PasteParts = {
    html: undefined,
    markdown: undefined,
    async load() {
      const [html, markdown] = await Promise.allSettled([
        parts.html ?? import('./clean-html.ts'),
        parts.markdown ?? import('@copydesk/schema/markdown'),
      ])
      if (html.status === 'fulfilled') parts.html = html.value
      if (markdown.status === 'fulfilled') parts.markdown = markdown.value
    },
  }
  return parts
}
