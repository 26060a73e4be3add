import { blockLimits } from '@copydesk/schema'
import { t } from '../../i18n/translate.ts'

type Katex = typeof import('katex').default

let loading: Promise<Katex> | undefined

// A browser lays out this many elements within half a second; nested deeper than this, Chromium crashes the page.
const mostElements = 20_000
const deepest = 400
// The limit of macro look-ups, one for each token read: definitions can expand one token into thousands.
const mostLookUps = 40_000

class TooComplex extends Error {
  override readonly name = 'TooComplex'
}

/** KaTeX with its stylesheet, fetched once. The next call retries a failed fetch. */
export function loadKatex(): Promise<Katex> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
    ([module]) => module.default,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/**
 * Draws `latex` into `target`; shows the source in red if it can't be parsed. Resolves when the formula is drawn: to
 * the reason why it isn't drawn if it would block the main thread for too long, else to null.
 */
export async function renderMath(
  target: HTMLElement,
  latex: string,
  displayMode: boolean,
  isCurrent: () => boolean,
): Promise<string | null> {
  if (latex.length > blockLimits.latex) return t('it is too long ({count, number} characters)', { count: latex.length })
  const katex = await loadKatex()
  if (!isCurrent()) return null
  const drawn = document.createElement('span')
  try {
    katex.render(latex, drawn, {
      displayMode,
      throwOnError: false,
      trust: false,
      maxSize: 20,
      maxExpand: 500,
      macros: countLookUps(mostLookUps),
    })
  } catch (error) {
    // KaTeX recurses as deep as the formula; the stack overflows before it ends.
    if (error instanceof TooComplex || error instanceof RangeError) return t('it is too complex')
    throw error
  }
  if (isTooMuch(drawn)) return t('it is too complex')
  target.replaceChildren(...drawn.childNodes)
  return null
}

// KaTeX looks up every token that it reads among its macros.
function countLookUps(most: number): Record<string, string> {
  let count = 0
  const look = (): void => {
    count += 1
    if (count > most) throw new TooComplex()
  }
  return new Proxy<Record<string, string>>(
    {},
    {
      has: (macros, name) => (look(), Reflect.has(macros, name)),
      getOwnPropertyDescriptor: (macros, name) => (look(), Reflect.getOwnPropertyDescriptor(macros, name)),
    },
  )
}

function isTooMuch(root: Element): boolean {
  let depth = 0
  let count = 0
  let element: Element | null = root.firstElementChild
  while (element !== null) {
    count += 1
    if (count > mostElements || depth > deepest) return true
    if (element.firstElementChild) {
      depth += 1
      element = element.firstElementChild
      continue
    }
    while (element && element !== root && !element.nextElementSibling) {
      depth -= 1
      element = element.parentElement
    }
    element = element === root ? null : (element?.nextElementSibling ?? null)
  }
  return false
}
