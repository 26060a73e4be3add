import { type Group, groups } from './eval-case.ts'

/** One attempt at one case. `problem` says why it failed. */
export type Attempt = {
  id: string
  group: Group
  ask: string
  passed: boolean
  problem?: string
  /** Whether the agent changed text or suggestions. */
  changed: boolean
  answer: string
  tools: string[]
}

/** How many attempts of a group passed. */
export type Score = { passed: number; of: number }

/** Scores by group, in the order of the groups; only those that were played. */
export function scoresOf(attempts: readonly Attempt[]): Map<Group, Score> {
  const scores = new Map<Group, Score>()
  for (const group of groups) {
    const own = attempts.filter((attempt) => attempt.group === group)
    if (own.length > 0) scores.set(group, scoreOf(own))
  }
  return scores
}

/** The score of all attempts together. */
export function scoreOf(attempts: readonly Attempt[]): Score {
  return { passed: attempts.filter(({ passed }) => passed).length, of: attempts.length }
}

/** How many attempts failed and left the document changed, so that a person would have to correct it. */
export function wrongEditsOf(attempts: readonly Attempt[]): number {
  return attempts.filter(({ passed, changed }) => !passed && changed).length
}

/** A score as `3/4 (75 %)`. */
export function describeScore({ passed, of }: Score): string {
  return `${passed}/${of} (${of === 0 ? 0 : Math.round((100 * passed) / of)} %)`
}

/** The pass rate per group as a table of plain text, in all, and how many failures changed the document. */
export function describeTable(model: string, attempts: readonly Attempt[]): string {
  const rows = [...scoresOf(attempts)].map(([group, score]): [string, Score] => [group, score])
  const lines = [...rows, ['all', scoreOf(attempts)] as const].map(([name, score]) => {
    return `  ${name.padEnd(18)}${describeScore(score).padStart(16)}`
  })
  return [`Model: ${model}`, ...lines, `  wrong edits       ${String(wrongEditsOf(attempts)).padStart(16)}`].join('\n')
}

/** Every failure with what was asked, what was wrong, which tools were called, and the answer. */
export function describeFailures(attempts: readonly Attempt[]): string {
  return attempts
    .filter(({ passed }) => !passed)
    .map(({ id, ask, problem = '', answer, tools }) => {
      const said = answer.replaceAll(/\s+/g, ' ').trim()
      return [
        `✗ ${id}: ${ask}`,
        ...problem.split('\n').map((line) => `    ${line}`),
        `    tools: ${tools.join(', ') || 'none'}; answer: ${said.length > 200 ? `${said.slice(0, 200).toWellFormed()}…` : said}`,
      ].join('\n')
    })
    .join('\n')
}
