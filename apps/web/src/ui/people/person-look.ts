const fallback = '#6b7280'

/** The colour if it is `#rrggbb`, else a grey: colours come from other peers and are used in style attributes. */
export function safeColor(color: unknown): string {
  return typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : fallback
}

/** Black or white, whichever is easier to read on a `#rrggbb` background (WCAG 2 contrast). */
export function inkOn(background: string): '#ffffff' | '#111111' {
  const light = luminance(safeColor(background))
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.0556 ? '#ffffff' : '#111111'
}

function luminance(color: string): number {
  const channel = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = firstLetter(words[0])
  const last = words.length > 1 ? firstLetter(words.at(-1)) : ''
  return (first + last).toUpperCase() || '?'
}

function firstLetter(word: string | undefined): string {
  return word === undefined ? '' : ([...word][0] ?? '')
}

const palette = ['#2f5d50', '#8a4b2f', '#3f5b9a', '#7a3f78', '#5e6b1f', '#a03c50', '#2d6f7f', '#6a4c9c'] as const

/**
 * The colour of a person whose id alone is known: always the same for the same id. The server assigns the colour that
 * peers see (`auth/people.ts`).
 */
export function fallbackColorOf(id: string): string {
  let hash = 0
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return palette[hash % palette.length] ?? fallback
}
