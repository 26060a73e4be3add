import { describe, expect, test } from 'vitest'
import { headlessOn, selectionOf } from '../../testing/headless.ts'
import { documentOf, fail, markdownOf, succeed } from '../../testing/test-document.ts'

const text = '# T\n\ncat one\n\n## A\n\ncat two cat\n\n- cat three\n\n## B\n\ncat four'

async function changed(name: string, input: Record<string, unknown>, selected?: [string, string]): Promise<string[]> {
  const doc = documentOf(text)
  const { session } = headlessOn(doc, selected ? { selection: () => selectionOf(doc, ...selected) } : {})
  await succeed(session, 'read_document')
  await succeed(session, name, input)
  return markdownOf(doc)
    .split('\n\n')
    .filter((line) => !line.startsWith('#'))
}

const [one, two, three, four] = ['cat one', 'cat two cat', '- cat three', 'cat four']

describe('a part of the document as scope', () => {
  test.each<[name: string, input: Record<string, unknown>, expected: string[]]>([
    ['replace_text', { block: 3 }, [one, 'dog two dog', three, four]],
    ['replace_text', { block: 4, to: 1 }, ['dog one', 'dog two dog', '- dog three', four]],
    ['replace_text', { section: 1 }, [one, 'dog two dog', '- dog three', four]],
    ['replace_text', { section: 0, limit: 1 }, ['dog one', two, three, four]],
    ['edit_document', { block: 4, to: 6 }, []],
    ['edit_document', { section: 2 }, [one, two, three, 'dog four']],
    ['edit_document', { section: 1, occurrence: 2 }, [one, 'cat two dog', three, four]],
    ['edit_document', { block: 4, to: 5 }, [one, two, '- dog three', four]],
  ])('%s %j', async (name, input, expected) => {
    const done = changed(name, { find: 'cat', replace: 'dog', ...input })
    if (expected.length > 0) expect(await done).toEqual(expected)
    else await expect(done).rejects.toThrow('ambiguous')
  })

  test('the selection', async () => {
    const selected: [string, string] = ['two cat', 'three']
    const found = { find: 'cat', replace: 'dog', selection: true }
    expect(await changed('replace_text', found, selected)).toEqual([one, 'cat two dog', '- dog three', four])
    expect(await changed('edit_document', { ...found, occurrence: 'first' }, selected)).toEqual([
      one,
      'cat two dog',
      three,
      four,
    ])
    expect(await changed('edit_document', { replace: '2 **dogs**', selection: true }, ['two cat', 'two cat'])).toEqual([
      one,
      'cat 2 **dogs**',
      three,
      four,
    ])
    expect(
      await changed('edit_document', { find: '', replace: 'x\ny', selection: true }, ['two cat', 'cat three']),
    ).toEqual([one, 'cat x', '- y', four])
  })

  test.each<[title: string, name: string, input: Record<string, unknown>, code: string]>([
    ['a text that is elsewhere', 'replace_text', { find: 'four', replace: 'x', section: 1 }, 'not_found'],
    ['a text that is elsewhere', 'edit_document', { find: 'four', replace: 'x', section: 1 }, 'not_found'],
    ['two scopes', 'replace_text', { find: 'cat', replace: 'x', section: 1, block: 1 }, 'invalid_input'],
    ['an end without a beginning', 'edit_document', { find: 'cat', replace: 'x', to: 1 }, 'invalid_input'],
    ['a section beyond the end', 'replace_text', { find: 'cat', replace: 'x', section: 9 }, 'out_of_range'],
    ['no selection', 'edit_document', { replace: 'x', selection: true }, 'no_selection'],
    ['no text', 'edit_document', { replace: 'x' }, 'invalid_input'],
    ['no new text', 'edit_document', { find: 'a' }, 'invalid_input'],
    ['no new text', 'replace_text', { find: 'a' }, 'invalid_input'],
    ['a pair and a text', 'replace_text', { find: 'a', pairs: [{ find: 'a', replace: 'b' }] }, 'invalid_input'],
    [
      'pairs and an occurrence',
      'edit_document',
      { occurrence: 1, pairs: [{ find: 'a', replace: 'b' }] },
      'invalid_input',
    ],
  ])('refuses %s: %s %j', async (_title, name, input, code) => {
    const { doc, session } = headlessOn(text)
    await succeed(session, 'read_document')
    expect((await fail(session, name, input)).code).toBe(code)
    expect(markdownOf(doc)).toBe(text)
  })
})

describe('several pairs in one call', () => {
  const swap = [
    { find: 'one', replace: 'four' },
    { find: 'four', replace: '**one**' },
  ]

  test.each(['replace_text', 'edit_document'])('%s swaps two texts', async (name) => {
    const { doc, session } = headlessOn(text)
    const result = await succeed(session, name, { pairs: swap })
    expect(markdownOf(doc)).toBe(text.replace('cat one', 'cat four').replace(/cat four$/, 'cat **one**'))
    expect(result.text.split('\n')[0]).toMatch(
      /^Replaced "one" by "four" \(1 place\), "four" by "\*\*one\*\*" \(1 place\), in blocks/,
    )
    expect(result.details).toMatchObject({
      count: 2,
      changes: [
        { before: 'one', after: 'four' },
        { before: 'four', after: 'one' },
      ],
    })
  })

  test('replace_text takes them literally in turn: what one pair wrote no other finds', async () => {
    const pairs = [
      { find: 'CAT', replace: 'dog' },
      { find: 'dog', replace: 'cow' },
      { find: 'cat three', replace: 'all' },
    ]
    const { doc, session } = headlessOn('cat dog\n\n- cat three')
    const result = await succeed(session, 'replace_text', { pairs })
    expect(markdownOf(doc)).toBe('dog cow\n\n- all')
    expect(result.text).toContain('"cat three" by "all" (1 place)')
  })

  test('a text that is missing is named, and edit_document then changes nothing', async () => {
    const pairs = [...swap, { find: 'nothing of it', replace: 'x' }]
    const { doc, session } = headlessOn(text)
    expect((await fail(session, 'edit_document', { pairs })).message).toContain('nothing of it')
    expect(markdownOf(doc)).toBe(text)
    expect((await succeed(session, 'replace_text', { pairs })).text).toContain('"nothing of it" by "x" (0 places)')
  })

  test.each([
    [
      'texts that overlap',
      [
        { find: 'cat one', replace: 'x' },
        { find: 'one', replace: 'y' },
      ],
      'invalid_operation',
    ],
    ['a text that occurs several times', [{ find: 'cat', replace: 'x' }], 'ambiguous'],
    ['several lines', [{ find: 'one', replace: 'x\ny' }], 'invalid_operation'],
    ['no pair', [], 'invalid_input'],
    ['too many pairs', Array.from({ length: 201 }, () => ({ find: 'one', replace: 'x' })), 'too_large'],
  ])('edit_document refuses %s', async (_title, pairs, code) => {
    expect((await fail(headlessOn(text).session, 'edit_document', { pairs })).code).toBe(code)
  })
})
