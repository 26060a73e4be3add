import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

// Text needs 4.5:1 against its background (WCAG 2, AA); meaningful lines and shapes need 3:1.
const text = 4.5
const shape = 3

type Color = readonly [red: number, green: number, blue: number]

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const sheets = read('tokens.css') + read('document/content.css')
const themes = { light: tokensIn(1), dark: tokensIn(2) }
const peers = [
  read('../../../../packages/protocol/src/people/accounts.ts'),
  read('../ui/people/person-look.ts'),
].flatMap((source) => [
  ...new Set(
    [...(/(?:palette|colors)[^=]*= \[([^\]]+)\]/i.exec(source)?.[1] ?? '').matchAll(/#[0-9a-f]{6}/g)].map(
      ([hex]) => hex,
    ),
  ),
])

function tokensIn(theme: 1 | 2): Map<string, Color> {
  const tokens = sheets.matchAll(
    /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);|--([\w-]+): (#[0-9a-f]{6});/g,
  )
  return new Map(
    [...tokens].map(([, name, light, dark, other, same]) => [
      name ?? other!,
      toColor((theme === 1 ? light : dark) ?? same!),
    ]),
  )
}

function toColor(hex: string): Color {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

/** The result of `color-mix(in srgb, a share, b)`, and of `a` with that alpha over `b`. */
function mix(a: Color, share: number, b: Color): Color {
  const channel = (at: 0 | 1 | 2) => a[at] * share + b[at] * (1 - share)
  return [channel(0), channel(1), channel(2)]
}

function contrast(a: Color, b: Color): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((left, right) => left - right)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

const black = toColor('#111111')
const white = toColor('#ffffff')

describe.each(['light', 'dark'] as const)('colours in the %s', (theme) => {
  const token = (name: string): Color => {
    const color = themes[theme].get(name)
    if (!color) throw new Error(`no token --${name}`)
    return color
  }
  const tooFaint: string[] = []
  const check = (what: string, a: Color, b: Color, least: number) => {
    const found = contrast(a, b)
    if (found < least) tooFaint.push(`${what}: ${found.toFixed(2)} instead of ${least}`)
  }
  const expectReadable = () => expect(tooFaint.splice(0)).toEqual([])

  test('words can be read on every ground', () => {
    for (const ground of ['page', 'surface', 'sunken', 'hover']) {
      for (const ink of ['ink', 'ink-soft']) check(`${ink} on ${ground}`, token(ink), token(ground), text)
    }
    for (const ground of ['page', 'surface', 'sunken']) {
      for (const ink of ['ink-faint', 'accent', 'agent', 'danger', 'warn', 'good'])
        check(`${ink} on ${ground}`, token(ink), token(ground), text)
    }
    for (const name of ['danger', 'warn', 'agent']) check(name, token(name), token(`${name}-soft`), text)
    check('accent-strong', token('accent-strong'), token('accent-soft'), text)
    // Shortcuts in a menu's active item, and insertions in a comparison.
    check('ink-faint on hover', token('ink-faint'), token('hover'), text)
    for (const ground of ['surface', 'sunken'])
      check('new', token('good'), mix(token('good'), 0.16, token(ground)), text)
    check('on-accent', token('on-accent'), token('accent'), text)
    check('line-strong', token('line-strong'), token('surface'), shape)
    expectReadable()
  })

  test('code can be read in place', () => {
    const colors = ['comment', 'keyword', 'string', 'number', 'title', 'type', 'attribute']
    for (const color of colors) check(color, token(`code-${color}`), token('sunken'), text)
    check('a deletion', token('danger'), token('sunken'), text)
    expectReadable()
  })

  test('marked words can be read: highlights, comments, matches, selections, what the agent points at', () => {
    for (const mark of ['highlight', 'comment-soft', 'comment-strong', 'selection', 'accent-soft', 'agent-soft'])
      check(mark, token('ink'), token(mark), text)
    const strength = theme === 'light' ? 0.42 : 0.34
    const glows = [...read('document/review.css').matchAll(/--glow: (#[0-9a-f]{6})/g)].map(([, hex]) => hex!)
    expect(glows).toHaveLength(5)
    for (const glow of glows) check(glow, token('ink'), mix(toColor(glow), strength, token('surface')), text)
    check('the edge of a comment', token('comment-edge'), token('surface'), theme === 'light' ? 2.5 : shape)
    expectReadable()
  })

  test("suggested and written text can be read in its author's colour, and its line can be seen", () => {
    expect(peers.length).toBeGreaterThan(15)
    for (const by of [...peers.map(toColor), token('agent')]) {
      const line = mix(by, 0.75, token('ink'))
      const open = mix(by, 0.25, token('surface'))
      check(`${by.join()} inserted`, token('ink'), open, text)
      check(`${by.join()} deleted`, token('ink-soft'), open, text)
      check(`${by.join()} line`, line, token('surface'), shape)
      const tint = mix(by, 0.72, token('ink'))
      check(`${by.join()} wrote`, token('ink'), mix(tint, 0.24, token('surface')), text)
      // Names at carets and on avatars are black or white.
      check(`${by.join()} name`, by, contrast(by, white) >= contrast(by, black) ? white : black, text)
    }
    expectReadable()
  })
})
