import { expect, test } from 'vitest'
import { colorOfPerson } from '../collaboration/presence.ts'
import { createDirectory } from './people-directory.ts'

const ana = { id: '1', name: 'Ana', color: '#2f5d50' }
const other = { id: '2', name: 'Ana', color: '#2f5d51' }
const lima = { id: '3', name: 'Ana Lima', color: '#2f5d52' }
const away = { id: '4', name: 'Ben', color: '#2f5d53' }

test('knows everybody but the caller, and reads at most every ten seconds', async () => {
  let asked = 0
  let now = 0
  const directory = createDirectory(
    () => {
      asked += 1
      return asked === 2 ? Promise.reject(new Error('offline')) : Promise.resolve({ people: [ana, lima] })
    },
    () => now,
  )
  directory.enter(null, ana.id)
  expect(directory.people()).toEqual([])
  let told = 0
  const unsubscribe = directory.subscribe(() => (told += 1))
  await directory.refresh()
  await directory.refresh()
  expect([asked, told]).toEqual([1, 1])
  unsubscribe()
  now = 11_000
  await directory.refresh()
  expect(asked).toBe(2)
  expect(directory.people().map(({ name }) => name)).toEqual(['Ana Lima'])
})

test('finds whom a text names; of several with one name, the one that was chosen', async () => {
  const directory = createDirectory(() => Promise.resolve({ people: [ana, other, lima] }), Date.now)
  await directory.refresh()
  expect(directory.mentionedIn('Hello @Ana')).toEqual(['1'])
  directory.choose(other)
  expect(directory.mentionedIn('Hello @Ana')).toEqual(['2'])
  expect(directory.mentionedIn('Hello Ana')).toEqual([])
})

test('[ACC-24] who has visited the document keeps their colour when they are away', async () => {
  const directory = createDirectory(() => Promise.resolve({ people: [away] }), Date.now)
  expect(colorOfPerson(null, away.id)).not.toBe(away.color)
  await directory.refresh()
  expect(colorOfPerson(null, away.id)).toBe(away.color)
})

test('[AGENT-4] agents can be called while they work here; former ones keep their colours', async () => {
  const editor = { id: 'e', handle: 'editor', name: 'Editor', color: '#2f5d54', description: '', isHere: true }
  const gone = { ...editor, id: 'g', handle: 'gone', color: '#2f5d55', isHere: false }
  const directory = createDirectory(() => Promise.resolve({ people: [ana], agents: [editor, gone] }), Date.now)
  await directory.refresh()
  expect(directory.agents().map(({ handle }) => handle)).toEqual(['editor'])
  expect(colorOfPerson(null, gone.id)).toBe(gone.color)
})
