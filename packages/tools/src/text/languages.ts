const scripts: readonly (readonly [string, RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Ukrainian', /[іїєґ]/giu],
  ['Russian', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Persian', /[پچژگ]/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hindi', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
]

const commonWords: readonly (readonly [string, string])[] = [
  ['English', 'the and of to in is that for with are this you not be it on as or by from'],
  ['German', 'der die das und ist nicht ein eine mit für auf den dem von zu sich auch werden wird im'],
  ['French', 'le la les des et est une dans pour que qui pas sur avec du au ce sont par plus'],
  ['Spanish', 'el los las y es una en para que con por del se no como su al más pero lo'],
  ['Italian', 'il gli e di che è una per con non del della sono si nel come anche più dei alla'],
  ['Portuguese', 'o os e de que é uma para com não do da em se no na por mais dos ao'],
  ['Dutch', 'het een en van is dat niet op te zijn voor met die aan er ook maar bij wordt naar'],
]

const sampleLength = 20_000

/**
 * The languages in which a text is mainly written, most used first, detected by script and by common words: a hint for
 * an agent that should answer in the text's language, not a reliable result. Empty if none is detected.
 */
export function detectLanguages(texts: readonly string[]): string[] {
  const sample = takeSample(texts)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return []
  const shares = scriptShares(sample, letters)
  const latin = (sample.match(/\p{Script=Latin}/gu)?.length ?? 0) / letters
  const byWords = latin >= 0.2 ? latinLanguage(sample) : undefined
  if (byWords) shares.push([byWords, latin])
  return shares
    .filter(([, share]) => share >= 0.15)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name)
}

function takeSample(texts: readonly string[]): string {
  let sample = ''
  const step = Math.max(1, Math.floor(texts.length / 400))
  for (let index = 0; index < texts.length && sample.length < sampleLength; index += step) {
    sample += `${(texts[index] ?? '').slice(0, 500)}\n`
  }
  return sample
}

function scriptShares(sample: string, letters: number): [string, number][] {
  const share = new Map(scripts.map(([name, pattern]) => [name, (sample.match(pattern)?.length ?? 0) / letters]))
  const of = (name: string): number => share.get(name) ?? 0
  // Some letters distinguish languages that share a script.
  settle(share, 'Japanese', 'Chinese', of('Japanese') > 0.1 * of('Chinese'))
  settle(share, 'Ukrainian', 'Russian', of('Ukrainian') > 0.03 * of('Russian'))
  settle(share, 'Persian', 'Arabic', of('Persian') > 0.02 * of('Arabic'))
  return [...share]
}

function settle(share: Map<string, number>, special: string, general: string, isSpecial: boolean): void {
  const all = (share.get(special) ?? 0) + (share.get(general) ?? 0)
  share.set(special, isSpecial ? all : 0)
  share.set(general, isSpecial ? 0 : all)
}

function latinLanguage(sample: string): string | undefined {
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = commonWords.map(([name, list]) => {
    const common = new Set(list.split(' '))
    return [name, words.filter((word) => common.has(word)).length] as const
  })
  const best = scores.reduce((a, b) => (b[1] > a[1] ? b : a))
  return best[1] >= Math.max(2, words.length * 0.05) ? best[0] : undefined
}
