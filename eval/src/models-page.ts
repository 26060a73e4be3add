import { type Group, groups } from './eval-case.ts'
import { type Attempt, describeScore, type Score, scoreOf, scoresOf, wrongEditsOf } from './report.ts'

const begin = '<!-- eval results: begin -->'
const end = '<!-- eval results: end -->'

/**
 * The page with this model's result between the markers: its row is replaced or added, those of other models stay.
 * `date` is the day as `2026-01-31`. A page without the markers is a failure.
 */
export function withResult(
  page: string,
  model: string,
  date: string,
  attempts: readonly Attempt[],
): { ok: true; page: string } | { ok: false; code: 'not_found'; message: string; hint: string } {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) {
    return {
      ok: false,
      code: 'not_found',
      message: 'The page has no place for results.',
      hint: `Put ${begin} and ${end} on lines of their own.`,
    }
  }
  const name = model.replaceAll('|', '\\|')
  const rows = page
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Model ') && !line.startsWith('| --- '))
    .filter((line) => !line.startsWith(`| ${name} |`))
  const table = [header, divider, ...[...rows, row(name, date, attempts)].toSorted()].join('\n')
  return { ok: true, page: `${page.slice(0, from)}${begin}\n\n${table}\n\n${page.slice(to)}` }
}

const columns = ['Model', 'Date', 'Passed', 'Wrong edits', ...groups]
const header = `| ${columns.join(' | ')} |`
const divider = `| ${columns.map(() => '---').join(' | ')} |`

function row(model: string, date: string, attempts: readonly Attempt[]): string {
  const scores: ReadonlyMap<Group, Score> = scoresOf(attempts)
  const cells = groups.map((group) => {
    const score = scores.get(group)
    return score ? `${score.passed}/${score.of}` : '–'
  })
  return `| ${[model, date, describeScore(scoreOf(attempts)), wrongEditsOf(attempts), ...cells].join(' | ')} |`
}
