import { describe, expect, test } from 'vitest'
import { reviewRules } from './review-styles.ts'

const empty = { changes: [], threads: [], activeThread: null, activeChanges: [] }

describe('reviewRules', () => {
  test('gives each author one rule, and agents the agent’s colour', () => {
    const changes = [
      { id: 'c1', color: '#112233' },
      { id: 'c2', color: '#112233' },
      { id: 'c3', color: 'agent' },
    ]
    const rules = reviewRules({ ...empty, changes }).split('\n')
    expect(rules).toHaveLength(2)
    expect(rules[0]).toMatch(/"c1".*"c2".*\{--by:#112233\}$/)
    expect(rules[1]).toMatch(/"c3".*\{--by:var\(--agent\)\}$/)
  })

  test('marks open threads only, the active one more', () => {
    const rules = reviewRules({ ...empty, threads: ['t1', 't2'], activeThread: 't2' })
    expect(rules).toMatch(/"t1".*"t2".*comment-soft/)
    expect(rules).toMatch(/"t2".*comment-strong/)
    expect(reviewRules({ ...empty, threads: ['t1'], activeThread: 'resolved' })).not.toContain('resolved')
  })

  test('lets neither ids nor colours write rules of their own', () => {
    const hostile = '"]{}*{background:url(//x)}'
    const rules = reviewRules({
      changes: [
        { id: hostile, color: '#112233' },
        { id: 'c', color: 'red;}*{' },
      ],
      threads: [hostile],
      activeThread: hostile,
      activeChanges: [hostile],
    })
    expect(rules).not.toContain('*{')
    expect(rules).not.toContain('url')
  })
})
