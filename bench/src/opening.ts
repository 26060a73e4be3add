/**
 * How soon a document can be read and edited: a short one, one of 5,000 paragraphs, and one of 80 formulas; each in a
 * new browser context (nothing in the browser's caches) and again in the same one.
 *
 *     pnpm --filter @copydesk/bench opening
 *
 * `text`: the first words are shown. `formulas`: all in the window are rendered. `editable`: the text takes input.
 * Milliseconds from the beginning of the navigation; the ratio is to the short document. CHROMIUM_PATH names the
 * browser; ROUNDS (5) says how often each is opened, of which the median is printed.
 */
import { type Browser, chromium } from '@playwright/test'
import { bundle, waitFor } from './measured-page.ts'
import { startBenchServer } from './bench-server.ts'
import { percentile } from './percentile.ts'

const complete = 'isComplete() ? moments : null'

type Moments = { text: number; formulas: number; editable: number }

const rounds = Number(process.env['ROUNDS'] ?? 5)
const first = 'The lamps of the library'
const sentence = 'A library is a room that lets strangers think side by side until the lamps go out. '.repeat(3)
const documents: Record<string, string> = {
  short: [first, sentence].join('\n\n'),
  '5,000 paragraphs': [first, ...Array.from({ length: 5000 }, (_, index) => `${index}: ${sentence}`)].join('\n\n'),
  '80 formulas': [first, ...Array.from({ length: 80 }, (_, index) => formula(index))].join('\n\n'),
}

function formula(index: number): string {
  return `$$\n\\int_0^{${index}} \\frac{\\sum_{k=0}^{n} \\binom{n}{k} x^k}{\\sqrt{1 + e^{-${index} x}}} \\, dx\n$$`
}

async function open(browser: Browser, url: string, token: string, path: string): Promise<[Moments, Moments]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    await context.addCookies([{ name: 'copydesk_session', value: token, url }])
    await context.addInitScript(instruments)
    const page = await context.newPage()
    await page.goto(url + path)
    const cold = await waitFor<Moments>(page, complete, 'opening')
    // What the page does after opening would delay its end, and that is no part of the next opening.
    await page.evaluate('new Promise((done) => requestIdleCallback(done))')
    await page.reload()
    return [cold, await waitFor<Moments>(page, complete, 'opening again')]
  } finally {
    await context.close()
  }
}

function median(all: readonly Moments[]): Moments {
  const of = (name: keyof Moments): number => {
    const times = all.map((each) => each[name])
    return Math.round(percentile(times, 0.5))
  }
  return { text: of('text'), formulas: of('formulas'), editable: of('editable') }
}

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const instruments = (await bundle('opening')).replaceAll('THE FIRST WORDS', first)
const server = await startBenchServer({ AGENT_PROVIDER: 'builtin' })
try {
  const { token } = await server.post<{ token: string }>('/api/session', { name: 'Bench' })
  const rows: Record<string, Moments & { ratio: number }> = {}
  for (const [name, markdown] of Object.entries(documents)) {
    const { id } = await server.post<{ id: string }>('/api/documents', { title: name, markdown }, token)
    const [cold, warm]: [Moments[], Moments[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const [one, two] = await open(browser, server.url, token, `/d/${id}`)
      cold.push(one)
      warm.push(two)
    }
    for (const [kind, all] of Object.entries({ first: cold, again: warm })) {
      const row = median(all)
      rows[`${name}, ${kind}`] = {
        ...row,
        ratio: Number((row.formulas / (rows[`short, ${kind}`] ?? row).formulas).toFixed(2)),
      }
    }
  }
  console.table(rows)
} finally {
  await browser.close()
  await server.close()
}
