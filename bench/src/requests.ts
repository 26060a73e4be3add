import { setTimeout } from 'node:timers/promises'
import { post } from './load-target.ts'

/** Where the measured server listens. */
export const base = 'http://127.0.0.1:4461'

/** What a token is taken for. */
export const charactersPerToken = 4

const paragraph = 'We meet on Monday, and everybody brings what they have written since the last time. '
const section = (index: number, paragraphs: number): string =>
  `## Part ${index}\n\n${Array.from({ length: paragraphs }, (_, at) => `${paragraph.repeat(5)}(${index}.${at})`).join('\n\n')}`

/** A document of about so many words; the typo is in its last section. */
export function documentOf(words: number): string {
  const perSection = Math.min(words, 800)
  const sections = Math.max(1, Math.round(words / perSection))
  const paragraphs = Math.max(1, Math.round(perSection / 80))
  const parts = Array.from({ length: sections }, (_, index) => section(index + 1, paragraphs))
  return `# Notes\n\n${parts.join('\n\n')}\n\nThe last line has teh typo.`
}

/** Asks the agent and waits until its run is completed. */
export async function ask(document: string, text: string, token: string): Promise<void> {
  const { run } = await post<{ run: { id: string } }>(base, `/api/documents/${document}/messages`, { text }, token)
  await runEnds(document, run.id, token)
}

/** @throws if the run doesn't complete: then the figures would be those of something else. */
async function runEnds(document: string, run: string, token: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${base}/api/documents/${document}/runs/${run}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { status, steps } = (await response.json()) as {
      status: string
      steps: { status: string; summary: string }[]
    }
    const failed = steps.find((step) => step.status === 'error')
    if (failed) throw new Error(`a call failed: ${failed.summary}`)
    if (status === 'completed') return
    if (status === 'failed' || status === 'limit_reached') throw new Error(`the run ended as ${status}`)
    await setTimeout(50)
  }
}
