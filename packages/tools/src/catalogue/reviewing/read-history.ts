import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { requireHistory } from '../../review/history.ts'
import { failure, shorten, success } from '../../common/result.ts'
import { blockText } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { EarlierRun, EarlierStep } from '../../session/host/host.ts'
import { cutText } from '../../text/window.ts'
import { evident, blockNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  block: evident(blockNumber.optional(), 'Only what led to its present text.'),
  run: evident(z.number().int().min(1).optional(), 'Only this run, with whole texts.'),
})

const listedText = 160

/**
 * Lists the changes of earlier runs in the document, the newest run first; with `run` those of one run, with whole
 * texts.
 */
export const readHistory = defineTool({
  name: 'read_history',
  description: 'Shows what you changed in earlier runs, step by step, old and new texts.',
  input,
  changes: false,
  needs: 'history',
  activity: localizable`Looking at earlier changes…`,
  async handler({ block, run }, session) {
    const found = requireHistory(session)
    if (!found.ok) return found
    const all = await found.history.runs()
    const wanted = run === undefined ? all : all.filter(({ number }) => number === run)
    if (run !== undefined && wanted.length === 0) return noRun(run, all)
    const runs = block === undefined ? { ok: true as const, runs: wanted } : ofBlock(wanted, block, session)
    if (!runs.ok) return runs
    if (runs.runs.length === 0)
      return success('No earlier run has changed that.', localizable`Read the history`, { runs: [] })
    const length = run === undefined ? listedText : Infinity
    const entries = entriesWithin(
      runs.runs.map((each) => describeRun(each, length)),
      session.limits.readCharacters,
    )
    const omitted = runs.runs.length - entries.length
    const more = omitted > 0 ? `\n\n(${omitted} earlier runs: read_history {"run": …} shows one.)` : ''
    return success(`${entries.join('\n\n')}${more}`, localizable`Read the history`, {
      runs: runs.runs.map(({ number }) => number),
    })
  },
})

/** The failure for a run that has changed nothing or doesn't exist. */
export function noRun(run: number, all: readonly EarlierRun[]): ReturnType<typeof failure> {
  const known = all.slice(0, 20).map(({ number }) => number)
  return failure(
    'not_found',
    localizable`No run ${run} has changed this document.`,
    known.length === 0 ? 'No earlier run has changed it.' : localizable`Runs that have: ${known.join(', ')}.`,
  )
}

// Traces the current text of the block back through the changes that led to it.
function ofBlock(runs: readonly EarlierRun[], number: number, session: DocumentSession) {
  const resolved = session.resolve(number)
  if (!resolved.ok) return resolved
  let text = blockText(resolved.block.node)
  const found: EarlierRun[] = []
  for (const run of runs) {
    const steps: EarlierStep[] = []
    for (const step of run.steps.toReversed()) {
      const change = step.changes.find(({ after }) => after === text)
      if (!change) continue
      steps.unshift({ ...step, changes: [change] })
      text = change.before
    }
    if (steps.length > 0) found.push({ ...run, steps })
  }
  return { ok: true as const, runs: found }
}

function describeRun({ number, by, request, undone, steps }: EarlierRun, length: number): string {
  const head = `Run ${number}${undone ? ' (undone)' : ''}, asked by ${by}: ${JSON.stringify(shorten(request, 160))}`
  return [head, ...steps.map((step) => describeStep(step, length))].join('\n')
}

function describeStep({ number, summary, undone, changes }: EarlierStep, length: number): string {
  const head = `  step ${number}${undone ? ' (undone)' : ''}: ${shorten(summary, 160)}`
  const cut = (text: string): string => JSON.stringify(length === Infinity ? text : shorten(text, length))
  return [head, ...changes.map(({ before, after }) => `    ${cut(before)} → ${cut(after)}`)].join('\n')
}

// The first entry is always shown, shortened if it is too long.
function entriesWithin(entries: readonly string[], limit: number): string[] {
  const taken: string[] = []
  let left = limit
  for (const entry of entries) {
    if (taken.length > 0 && entry.length > left) break
    taken.push(cutText(entry, limit))
    left -= entry.length
  }
  return taken
}
