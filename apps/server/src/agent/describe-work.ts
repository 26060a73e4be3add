import { fenceAsData } from '@copydesk/agent'
import { cutText, type EarlierRun } from '@copydesk/tools'

const pairLength = 400
const workLength = 3_000

/** What a run changed, for the model that reads its answer in a later turn: each step with old and new texts, cut. */
export function describeWork({ number, undone, steps }: EarlierRun): string {
  const lines: string[] = []
  let left = workLength
  for (const step of steps) {
    const state = step.undone ? ' (undone since)' : ''
    const pairs = step.changes.map(({ before, after }) => `  ${quote(before)} → ${quote(after)}`)
    const text = [`step ${step.number}${state}: ${step.summary}`, ...pairs].join('\n')
    if (text.length > left) {
      lines.push('…')
      break
    }
    left -= text.length
    lines.push(text)
  }
  const label = `what you changed in run ${number}${undone ? ', which has been undone since' : ''}`
  return fenceAsData(label, lines.join('\n'))
}

function quote(text: string): string {
  return JSON.stringify(cutText(text, pairLength))
}
