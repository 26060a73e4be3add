type Katex = typeof import('katex').default

let loading: Promise<Katex> | undefined

/** KaTeX with its stylesheet, fetched when the first formula is shown. A failed fetch is tried again next time. */
function loadKatex(): Promise<Katex> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
    ([module]) => module.default,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Draws `latex` into `target`; shows the source in red where it can't be read. Resolves when it is drawn. */
export async function renderMath(
  target: HTMLElement,
  latex: string,
  displayMode: boolean,
  isCurrent: () => boolean,
): Promise<void> {
  const katex = await loadKatex()
  if (!isCurrent()) return
  katex.render(latex, target, { displayMode, throwOnError: false, trust: false, maxSize: 20, maxExpand: 500 })
}
