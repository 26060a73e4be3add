import { describe, expect, test } from 'vitest'
import { activeRules, reviewRules } from './review-classes.ts'

describe('reviewRules', () => {
  test('gives each author one rule, and agents the agent’s colour', () => {
    const changes = [
      { id: 'c1', color: '#112233' },
      { id: 'c2', color: '#112233' },
      { id: 'c3', color: 'agent' },
    ]
    const rules = reviewRules({ changes, threads: [] }).trim().split('\n')
    expect(rules).toHaveLength(2)
    expect(rules[0]).toBe('.document-text .change-c1,.document-text .change-c2{--by:#112233}')
    expect(rules[1]).toBe('.document-text .change-c3{--by:var(--agent)}')
  })

  test('marks open threads, and what is active more', () => {
    expect(reviewRules({ changes: [], threads: ['t1', 't2'] })).toMatch(/\.thread-t1,.*\.thread-t2\{.*comment-soft/)
    expect(activeRules('t2', ['c1', 'c2'])).toMatch(/\.thread-t2\{.*comment-strong.*\n.*\.change-c1,.*\.change-c2\{/)
    expect(activeRules(null, [])).toBe('')
  })

  // A browser tests every rule with an attribute selector on every element.
  test('[REV-39] finds elements by their class alone', () => {
    const rules =
      reviewRules({ changes: [{ id: 'c1', color: '#112233' }], threads: ['t1'] }) + activeRules('t1', ['c1'])
    expect(rules).not.toMatch(/\[|:is/)
  })

  test('lets neither ids nor colours write rules of their own', () => {
    const hostile = '"]{}*{background:url(//x)}'
    const changes = [
      { id: hostile, color: '#112233' },
      { id: 'c', color: 'red;}*{' },
    ]
    const rules = reviewRules({ changes, threads: [hostile] }) + activeRules(hostile, [hostile])
    expect(rules).not.toContain('*{')
    expect(rules).not.toContain('url')
  })
})
