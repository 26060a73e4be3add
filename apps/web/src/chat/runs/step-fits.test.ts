import type { Step } from '@copydesk/protocol'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { expect, test } from 'vitest'
import { fits, lettersIn } from './step-fits.ts'

const step = (before: string, more: Partial<Step> = {}): Step => ({
  id: 'call',
  tool: 'edit_document',
  arguments: {},
  status: 'awaiting_approval',
  summary: '',
  startedAt: '2026-01-01T00:00:00Z',
  proposal: [{ before, after: 'new' }],
  ...more,
})

test('[APP-19] a proposal fits while the text that it changes, or stands next to, is in the document', () => {
  const { doc } = parseMarkdown(
    '# Plan\n\nIt **took** teh [bus](https://x.test) for $a+b$\n\n| a | b |\n| - | - |\n| c | d |',
  )
  const letters = lettersIn(doc)
  for (const before of ['', 'teh bus', '**took** teh', 'teh [bus](https://x.test)', '# Plan', '| c | d |', 'for $a+b$'])
    expect(fits(step(before), letters)).toBe(true)
  expect(fits(step('the bus'), letters)).toBe(false)
  const insert = (anchor: string) => step('', { arguments: { position: { type: 'relative', anchor } } })
  expect(fits(insert('teh bus'), letters)).toBe(true)
  expect(fits(insert('no such text'), letters)).toBe(false)
  expect(fits(step('title: Old', { tool: 'edit_frontmatter' }), letters)).toBe(true)
})
