import { contentTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { cpuTimeOf } from '../testing/cpu-time.ts'
import { createLogScene, fragmentOf, paragraph, textAt } from '../testing/log-scene.ts'

const all = [{ run: 'r' }, { run: 'r', step: 'a' }, { run: 'r', step: 'b' }, { run: 'r', step: 'c' }]

test('[UNDO-1] what people did before, between, inside and after a run stays', () => {
  const scene = createLogScene(['one two three', 'untouched'])
  const ana = scene.join()
  const agent = scene.join('r')
  textAt(ana, 0).insert(0, 'Before ')
  textAt(agent, 0).delete(textAt(agent, 0).toJSON().indexOf('two'), 3)
  textAt(ana, 1).insert(0, 'between ')
  fragmentOf(agent).insert(2, [paragraph('made by the agent')])
  textAt(ana, 2).insert(5, 'INSIDE ')
  textAt(ana, 0).insert(textAt(ana, 0).length, ' after')
  expect(scene.make('r', all)).toBe(true)
  expect(scene.texts()).toEqual(['Before one two three after', 'between untouched', 'INSIDE '])
  expect(fragmentOf(ana).toJSON()).toBe(fragmentOf(scene.doc).toJSON())
  expect(fragmentOf(agent).toJSON()).toBe(fragmentOf(scene.doc).toJSON())
})

test('[UNDO-2] text that the run deleted comes back although people edited around it, formatting included', () => {
  const scene = createLogScene(['keep bold keep'])
  const ana = scene.join()
  textAt(ana, 0).format(5, 4, { bold: {} })
  const agent = scene.join('r')
  textAt(agent, 0).delete(4, 6)
  textAt(ana, 0).insert(4, '|')
  textAt(ana, 0).delete(0, 2)
  scene.make('r', all)
  expect(textAt(scene.doc, 0).toDelta()).toEqual([
    { insert: expect.stringMatching(/^ep\|? \|?$/) },
    { insert: 'bold', attributes: { bold: {} } },
    { insert: expect.stringMatching(/^ \|?keep$/) },
  ])
  expect(scene.texts()[0]).toHaveLength('ep bold keep'.length + 1)
})

test('[UNDO-2] formatting that the run added or removed', () => {
  const scene = createLogScene(['plain bold plain'])
  const ana = scene.join()
  textAt(ana, 0).format(6, 4, { bold: {} })
  const before = textAt(scene.doc, 0).toDelta()
  const agent = scene.join('r')
  textAt(agent, 0).format(6, 4, { bold: null })
  textAt(agent, 0).format(0, 5, { italic: {} })
  expect(textAt(scene.doc, 0).toDelta()).not.toEqual(before)
  const after = textAt(scene.doc, 0).toDelta()
  scene.make('r', all)
  expect(textAt(scene.doc, 0).toDelta()).toEqual(before)
  scene.make('r', [])
  expect(textAt(scene.doc, 0).toDelta()).toEqual(after)
})

test('[UNDO-2] text typed in a block while the run deleted it', () => {
  const scene = createLogScene(['first', 'second'])
  const ana = scene.join(undefined, { deaf: true })
  const agent = scene.join('r')
  fragmentOf(agent).delete(0, 1)
  textAt(ana, 0).insert(5, ' typed meanwhile')
  expect(scene.texts()).toEqual(['second'])
  scene.make('r', all)
  expect(scene.texts()).toEqual(['first typed meanwhile', 'second'])
})

test('[UNDO-2] attributes and frontmatter', () => {
  const scene = createLogScene(['text'])
  const ana = scene.join()
  const heading = new Y.XmlElement('heading')
  fragmentOf(ana).insert(1, [heading])
  heading.setAttribute('level', 1 as unknown as string)
  ana.getMap(contentTypes.meta).set('frontmatter', 'a: 1')
  const agent = scene.join('r')
  const block = fragmentOf(agent).get(1) as Y.XmlElement
  block.setAttribute('level', 2 as unknown as string)
  block.setAttribute('level', 3 as unknown as string)
  agent.getMap(contentTypes.meta).set('frontmatter', 'a: 2')
  agent.getMap(contentTypes.receipts).set('r/1', { status: 'done' })
  scene.make('r', all)
  expect((fragmentOf(scene.doc).get(1) as Y.XmlElement).getAttribute('level')).toBe(1)
  expect(scene.doc.getMap(contentTypes.meta).get('frontmatter')).toBe('a: 1')
  expect([...scene.doc.getMap(contentTypes.receipts).keys()]).toEqual(['r/1'])
  scene.make('r', [])
  expect((fragmentOf(scene.doc).get(1) as Y.XmlElement).getAttribute('level')).toBe(3)
  const ben = fragmentOf(ana).get(1) as Y.XmlElement
  ben.setAttribute('level', 4 as unknown as string)
  scene.make('r', all)
  expect((fragmentOf(scene.doc).get(1) as Y.XmlElement).getAttribute('level')).toBe(4)
})

test('[UNDO-3] one step of three; steps and run in any order', () => {
  const scene = createLogScene(['one two three'])
  const agent = scene.join('r')
  const replace = (from: string, to: string, step: string): void => {
    const text = textAt(agent, 0)
    agent.transact(() => {
      const index = text.toJSON().indexOf(from)
      text.delete(index, from.length)
      text.insert(index, to)
    })
    scene.endStep('r', step)
  }
  replace('one', 'ONE', 'a')
  replace('two', 'TWO', 'b')
  replace('TWO', 'Two!', 'c')
  const undo = (...steps: string[]): string => {
    scene.make('r', steps.length === 3 ? all : steps.map((step) => ({ run: 'r', step })))
    return scene.texts()[0] ?? ''
  }
  expect(undo('a')).toBe('one TWO! three'.replace('TWO!', 'Two!'))
  expect(undo('a', 'c')).toBe('one TWO three')
  expect(undo('a', 'b', 'c')).toBe('one two three')
  expect(undo('b')).toMatch(/^ONE (Two!two|twoTwo!) three$/)
  expect(undo()).toBe('ONE Two! three')
  expect(undo('c')).toBe('ONE TWO three')
  expect(undo('a', 'b', 'c')).toBe('one two three')
})

test('[UNDO-4] undo, redo, undo: each gives what was there, and what people did between stays', () => {
  const scene = createLogScene(['alpha beta', 'gamma'])
  const ana = scene.join()
  const agent = scene.join('r')
  textAt(agent, 0).delete(0, 6)
  fragmentOf(agent).insert(1, [paragraph('new block')])
  fragmentOf(agent).delete(2, 1)
  expect(scene.texts()).toEqual(['beta', 'new block'])
  scene.make('r', all)
  expect(scene.texts()).toEqual(['alpha beta', 'gamma'])
  textAt(ana, 1).insert(5, ' (Ana)')
  scene.make('r', [])
  expect(scene.texts()).toEqual(['beta', 'new block', ' (Ana)'])
  scene.make('r', all)
  expect(scene.texts()).toEqual(['alpha beta', 'gamma (Ana)'])
  expect(scene.make('r', all)).toBe(false)
})

test('[UNDO-5] what another run deleted comes back only while the run that wrote it is in effect', () => {
  const scene = createLogScene(['text'])
  const first = scene.join('r')
  fragmentOf(first).insert(1, [paragraph('by r')])
  const second = scene.join('s')
  fragmentOf(second).delete(1, 1)
  scene.make('r', [{ run: 'r' }])
  scene.make('s', [{ run: 'r' }, { run: 's' }])
  expect(scene.texts()).toEqual(['text'])
  scene.make('r', [{ run: 's' }])
  expect(scene.texts()).toEqual(['text', 'by r'])
  scene.make('s', [])
  expect(scene.texts()).toEqual(['text'])
})

test('[UNDO-6] a block that would leave its parent broken stays, empty', () => {
  const scene = createLogScene(['text'])
  const agent = scene.join('r')
  const item = new Y.XmlElement('listItem')
  const list = new Y.XmlElement('bulletList')
  item.insert(0, [paragraph('by the agent')])
  list.insert(0, [item])
  fragmentOf(agent).insert(1, [list])
  const ana = scene.join()
  const quote = new Y.XmlElement('blockquote')
  quote.insert(0, [paragraph('Ana')])
  const inner = (fragmentOf(ana).get(1) as Y.XmlElement).get(0) as Y.XmlElement
  inner.insert(1, [quote])
  scene.make('r', all)
  expect(fragmentOf(scene.doc).get(1).toJSON()).toBe(
    '<bulletlist><listitem><paragraph></paragraph><blockquote><paragraph>Ana</paragraph></blockquote></listitem></bulletlist>',
  )
})

test('[UNDO-6] rows of a table that the run added go, and those that it deleted come back', () => {
  const scene = createLogScene(['text'])
  const ana = scene.join()
  const row = (...cells: string[]): Y.XmlElement => {
    const element = new Y.XmlElement('tableRow')
    element.insert(
      0,
      cells.map((text) => {
        const cell = new Y.XmlElement('tableCell')
        cell.insert(0, [paragraph(text)])
        return cell
      }),
    )
    return element
  }
  const table = new Y.XmlElement('table')
  table.insert(0, [row('a', 'b'), row('c', 'd')])
  fragmentOf(ana).insert(1, [table])
  const before = fragmentOf(scene.doc).toJSON()
  const agent = scene.join('r')
  const own = fragmentOf(agent).get(1) as Y.XmlElement
  own.insert(2, [row('e', 'f')])
  own.delete(0, 1)
  scene.make('r', all)
  expect(fragmentOf(scene.doc).toJSON()).toBe(before)
})

const change = (id: string) => ({ [`deletion--${id.padEnd(8, '0')}`]: { id } })

test('[UNDO-5] undo of a run that suggested gives what was there before, also after its suggestions were accepted', () => {
  const scene = createLogScene(['one two three', 'last'])
  const agent = scene.join('r')
  const suggest = (text: string, id: string): void => {
    const at = textAt(agent, 0)
      .toJSON()
      .replaceAll(/<[^>]*>/g, '')
      .indexOf(text)
    agent.transact(() => {
      textAt(agent, 0).format(at, text.length, change(id))
      textAt(agent, 0).insert(at + text.length, text.toUpperCase(), { insertion: { id } })
    })
  }
  const before = fragmentOf(scene.doc).toJSON()
  suggest('one', 'c1')
  scene.endStep('r', 'a')
  suggest('three', 'c2')
  scene.endStep('r', 'b')
  const suggested = fragmentOf(scene.doc).toJSON()
  // The server accepts both in one write, which counts as the run's.
  const server = scene.join('r', { decides: true })
  server.transact(() => {
    let at = 0
    for (const part of textAt(server, 0).toDelta() as { insert: string; attributes?: Record<string, unknown> }[]) {
      const names = Object.keys(part.attributes ?? {})
      if (names.includes('insertion')) textAt(server, 0).format(at, part.insert.length, { insertion: null })
      if (names.some((name) => name.startsWith('deletion'))) textAt(server, 0).delete(at, part.insert.length)
      else at += part.insert.length
    }
  })
  const ana = scene.join()
  textAt(ana, 0).insert(3, '!')
  expect(scene.texts()[0]).toBe('ONE! two THREE')
  scene.make('r', [{ run: 'r', step: 'b' }])
  expect(scene.texts()[0]).toBe('ONE! two three')
  scene.make('r', all)
  expect(scene.texts()[0]).toMatch(/^(!one|one!) two three$/)
  textAt(ana, 0).delete(scene.texts()[0]?.indexOf('!') ?? 0, 1)
  expect(fragmentOf(scene.doc).toJSON()).toBe(before)
  scene.make('r', [])
  expect(scene.texts()[0]).toBe('ONE two THREE')
  expect(suggested).toContain('deletion')
})

test('[UNDO-5] after its suggestions were rejected there is nothing left to undo', () => {
  const scene = createLogScene(['one'])
  const agent = scene.join('r')
  textAt(agent, 0).insert(3, ' more', { insertion: { id: 'c1' } })
  scene.endStep('r', 'a')
  const server = scene.join('r', { decides: true })
  textAt(server, 0).delete(3, 5)
  expect(scene.make('r', all)).toBe(false)
  expect(scene.make('r', [])).toBe(false)
  expect(scene.texts()).toEqual(['one'])
})

test('[UNDO-5] a decision during the run belongs to the step that suggested, not to the one that ends next', () => {
  const scene = createLogScene(['one two', 'last'])
  const agent = scene.join('r')
  agent.transact(() => {
    textAt(agent, 0).format(0, 3, change('c1'))
    textAt(agent, 0).insert(3, 'ONE', { insertion: { id: 'c1' } })
  })
  scene.endStep('r', 'a')
  const server = scene.join('r', { decides: true })
  server.transact(() => {
    textAt(server, 0).format(3, 3, { insertion: null })
    textAt(server, 0).delete(0, 3)
  })
  textAt(agent, 1).insert(4, ' words')
  scene.endStep('r', 'b')
  expect(scene.texts()).toEqual(['ONE two', 'last words'])
  scene.make('r', [{ run: 'r', step: 'b' }])
  expect(scene.texts()).toEqual(['ONE two', 'last'])
  scene.make('r', [{ run: 'r', step: 'a' }])
  expect(scene.texts()).toEqual(['one two', 'last words'])
  scene.make('r', all)
  expect(scene.texts()).toEqual(['one two', 'last'])
  scene.make('r', [])
  expect(scene.texts()).toEqual(['ONE two', 'last words'])
})

test('[UNDO-2] a run is undone after a long log of what people typed, in a moment', () => {
  const scene = createLogScene(['text'])
  const ana = scene.join()
  const typing = cpuTimeOf(() => {
    for (let index = 0; index < 20_000; index++) {
      const text = textAt(ana, 0)
      text.insert((index * 7919) % (text.length + 1), 'x')
    }
  })
  const typed = scene.texts()
  const agent = scene.join('r')
  textAt(agent, 0).insert(3, 'by the agent')
  // Quadratic time in the length of the log would be hundreds of times as much.
  expect(cpuTimeOf(() => scene.make('r', all))).toBeLessThan(3 * typing)
  expect(scene.texts()).toEqual(typed)
})
