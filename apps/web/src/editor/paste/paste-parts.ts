type Markdown = typeof import('@copydesk/schema/markdown')
type Html = typeof import('./clean-html.ts')

/** What reads HTML and markdown, as far as it is loaded. */
export type PasteParts = {
  html: Html | undefined
  markdown: Markdown | undefined
  /** Loads both; what can't be fetched now stays undefined and is tried again the next time. */
  load: () => Promise<void>
}

/** Reading what is pasted takes parts that an open document can do without at first. */
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
