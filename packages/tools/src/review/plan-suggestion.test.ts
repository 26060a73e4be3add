import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { inEnglish } from '../common/localizable.ts'
import type { ToolFailure } from '../common/result.ts'
import type { ChangePlan } from '../session/commit/commit.ts'
import { headlessOn, selectionOf } from '../testing/headless.ts'
import { documentOf } from '../testing/test-document.ts'
import { planDeletion, planReplacement } from './plan-suggestion.ts'
import { findTarget, type TargetInput } from './target.ts'

type Where = TargetInput & { selected?: [first: string, last: string] }

/** Plans on this markdown; every block has been shown under its index. */
function planned(markdown: string, where: Where, replaceWith?: string): ChangePlan | ToolFailure {
  const doc = documentOf(markdown)
  const { selected, ...given } = where
  const { session } = headlessOn(doc, selected ? { selection: () => selectionOf(doc, ...selected) } : {})
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  session.showRead(read.view.blocks)
  const target = findTarget(selected ? { selection: true } : given, session, read.view)
  if (!target.ok) return target
  return replaceWith === undefined
    ? planDeletion(target, read.view)
    : planReplacement(target, replaceWith, session, read.view)
}

/** A plan with its summary in English. */
function said(plan: ChangePlan | ToolFailure) {
  return plan.ok ? { ...plan, summary: inEnglish(plan.summary) } : plan
}

function result(plan: ChangePlan | ToolFailure): string {
  if (!plan.ok) return plan.code
  plan.transform.doc.check()
  expect(plan.mode ?? plan.transform.steps.length).toBe(plan.mode === undefined ? 0 : 'suggest')
  return serializeMarkdown(plan.transform.doc)
    .replaceAll('&#x20;', '')
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd()
}

const list = '- one\n  - inner\n- two\n- three'
const table = '| a | b |\n| - | - |\n| c | d |\n| e | f |'

describe('planDeletion', () => {
  test.each<[string, string, Where, string]>([
    ['a text', 'one two three', { find: ' two' }, 'one three'],
    ['a text across formatting', 'a **bold** z', { find: 'bold z' }, 'a'],
    ['a text that is its whole block', 'one\n\ntwo', { find: 'two' }, 'one'],
    ['a block', 'one\n\n## two\n\nthree', { block: 1 }, 'one\n\nthree'],
    ['the only block', 'one', { block: 0 }, ''],
    ['an item', list, { block: 2 }, '- one\n  - inner\n- three'],
    ['the only item', 'a\n\n- one\n\nb', { block: 1 }, 'a\n\nb'],
    ['an image', 'a\n\n![x](/i.png)\n\nb', { block: 1 }, 'a\n\nb'],
    ['a code block', 'a\n\n```\nb\n```', { block: 1 }, 'a'],
    ['a row', table, { block: 1 }, '| a | b |\n| - | - |\n| e | f |'],
    ['the head row among others', table, { block: 0 }, 'invalid_operation'],
    ['the only row', 'x\n\n| a |\n| - |', { block: 1 }, 'x'],
    ['the text of a cell', table, { find: 'd' }, '| a | b |\n| - | - |\n| c | |\n| e | f |'],
    ['selected blocks', 'a one\n\ntwo\n\n![x](/i.png)\n\nthree b', { selected: ['one', 'three'] }, 'a\n\nb'],
    ['selected items', list, { selected: ['one', 'two'] }, '- three'],
    ['a text over blocks', 'a one\n\ntwo\n\nthree b', { find: 'one\ntwo\nthree' }, 'a\n\nb'],
    ['selected rows', table, { selected: ['c', 'f'] }, '| a | b |\n| - | - |'],
  ])('deletes %s', (_title, markdown, where, expected) => {
    expect(result(planned(markdown, where))).toBe(expected)
  })

  test('says what goes', () => {
    expect(said(planned('one\n\ntwo words', { block: 1 }))).toMatchObject({
      message: 'Suggested deleting "two words" in block [1].',
      summary: 'Suggested: two words → (removed)',
      changes: [{ before: 'two words', after: '' }],
    })
  })
})

describe('planReplacement', () => {
  test.each<[string, string, Where, string, string]>([
    ['a text', 'see teh cat', { find: 'teh' }, 'the', 'see the cat'],
    ['a text by markup', 'make it strong', { find: 'strong' }, '**strong**', 'make it **strong**'],
    ['a whole block, keeping formatting', 'a **bold** z', { block: 0 }, 'a bold end', 'a **bold** end'],
    ['a block by several', 'a\n\nb', { block: 1 }, 'b1\n\nb2', 'a\n\nb1\n\nb2'],
    ['a heading level', '# T\n\n## S', { block: 1 }, '### S', '# T\n\n### S'],
    ['what is selected', 'one two', { selected: ['two', 'two'] }, 'three', 'one three'],
    ['a selection over blocks', 'a one\n\ntwo b', { selected: ['one', 'two'] }, 'uno\n\ndos', 'a uno\n\ndos b'],
    ['a text over items', '- a\n- b', { find: 'a\nb' }, 'c\nd', '- c\n- d'],
    ['nothing, which deletes', 'one\n\ntwo', { block: 1 }, '', 'one'],
    ['the same text as before', 'one', { find: 'one' }, 'one', 'one'],
    ['a row', table, { block: 1 }, 'x', 'invalid_operation'],
    ['an image', '![x](/i.png)', { block: 0 }, 'x', 'invalid_operation'],
    ['selected rows', table, { selected: ['c', 'f'] }, 'x', 'invalid_operation'],
  ])('replaces %s', (_title, markdown, where, replaceWith, expected) => {
    expect(result(planned(markdown, where, replaceWith))).toBe(expected)
  })

  test('says what is suggested', () => {
    expect(said(planned('see teh cat', { find: 'teh' }, 'the'))).toMatchObject({
      message: 'Suggested replacing "teh" in block [0] by "the".',
      summary: 'Suggested: teh → the',
      changes: [{ before: 'teh', after: 'the' }],
    })
  })
})
