import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { createLogScene, fragmentOf, paragraph, type LogScene } from '../testing/log-scene.ts'
import type { UndonePart } from './effect-set.ts'

const seeds = Number(process.env.UNDO_SEEDS ?? 60)
const all = (['', 'a', 'b', 'c'] as const).map((step) => (step === '' ? { run: 'r' } : { run: 'r', step }))

function textsOf(doc: Y.Doc): Y.XmlText[] {
  const found: Y.XmlText[] = []
  const collect = (node: Y.XmlFragment): void => {
    for (const child of node.toArray()) {
      if (child instanceof Y.XmlText) found.push(child)
      else if (child instanceof Y.XmlFragment) collect(child)
    }
  }
  collect(fragmentOf(doc))
  return found
}

type Writer = { write(count: number): string; written(): string[] }

/** A writer with its own characters, each used once, so that each can be found in any document. */
function createWriter(first: number): Writer {
  const all: string[] = []
  return {
    write(count) {
      const text = Array.from({ length: count }, (_, index) => String.fromCodePoint(first + all.length + index))
      all.push(...text)
      return text.join('')
    },
    written: () => all,
  }
}

type Rules = { mayDelete: (character: string) => boolean; mayFormat: boolean }

/** An edit of a user or run: inserts text, deletes, formats, or adds or removes a block. */
function edit(doc: Y.Doc, random: RandomBelow, { write }: Writer, { mayDelete, mayFormat }: Rules): void {
  doc.transact(() => {
    const texts = textsOf(doc)
    const text = texts[random(Math.max(1, texts.length))]
    const kind = random(8)
    if (kind === 0 || !text) {
      fragmentOf(doc).insert(random(fragmentOf(doc).length + 1), [paragraph(write(1 + random(3)))])
    } else if (kind === 1) {
      removeBlock(doc, random, mayDelete)
    } else if (kind < 4) {
      const shown = plain(text)
      const at = random(shown.length + 1)
      if (at < shown.length && mayDelete(shown.charAt(at))) text.delete(at, 1)
    } else if (kind === 4 && mayFormat) {
      const length = plain(text).length
      const from = random(length + 1)
      text.format(from, random(length - from + 1), { bold: random(2) === 0 ? {} : null })
    } else {
      text.insert(random(plain(text).length + 1), write(1 + random(4)))
    }
  })
}

function removeBlock(doc: Y.Doc, random: RandomBelow, mayDelete: (character: string) => boolean): void {
  const fragment = fragmentOf(doc)
  if (fragment.length < 2) return
  const index = random(fragment.length)
  const block = fragment.get(index)
  const content = block instanceof Y.XmlElement ? block.toArray().map((text) => plain(text as Y.XmlText)) : []
  const shown = [...content.join('')]
  // An empty block may be one whose text is undone: removing it would prevent a redo of the text.
  if (shown.length > 0 && shown.every(mayDelete)) fragment.delete(index, 1)
}

function plain(text: Y.XmlText): string {
  const delta: { insert?: unknown }[] = text.toDelta()
  return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
}

function characters(doc: Y.Doc): string[] {
  return textsOf(doc)
    .flatMap((text) => [...plain(text)])
    .toSorted()
}

const base = 0x4e00
const people = 0x5000
const agent = 0x6000
const isOfPeople = (character: string): boolean => character.charCodeAt(0) >= people && character.charCodeAt(0) < agent

const agentRules: Rules = { mayDelete: (character) => !isOfPeople(character), mayFormat: true }

function createScene(): LogScene {
  const { write } = createWriter(base)
  return createLogScene([write(6), write(8), write(5), write(7)])
}

test('[UNDO-7] undo leaves the document that the people alone would have made, whatever they did meanwhile', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seededBelow(seed)
    const scene = createScene()
    // A user who hasn't received the run's changes yet, so that none of their edits depend on them. They don't format:
    // for overlapping formats of two users, Yjs has no result that is correct for both.
    const person = scene.join(undefined, { deaf: true })
    const run = scene.join('r')
    const [writer, agentWriter] = [createWriter(people), createWriter(agent)]
    for (let index = 0; index < 24; index++) {
      // A character that both delete counts as deleted by the first, and undo restores it.
      const shown = new Set(characters(scene.doc))
      const isOwn = (character: string): boolean => isOfPeople(character) && shown.has(character)
      if (random(2) === 0) edit(person, random, writer, { mayDelete: isOwn, mayFormat: false })
      else edit(run, random, agentWriter, agentRules)
      if (index % 8 === 7) scene.endStep('r', ['a', 'b', 'c'][(index - 7) / 8]!)
    }
    scene.make('r', all)
    expect(fragmentOf(scene.doc).toJSON(), `seed ${seed}`).toBe(fragmentOf(person).toJSON())
  }
})

test('[UNDO-8] undo and redo in any order keep what people write and lose nothing of the rest', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seededBelow(seed + 10_000)
    const scene = createScene()
    const person = scene.join()
    const run = scene.join('r')
    const [writer, agentWriter] = [createWriter(people), createWriter(agent)]
    const original = characters(scene.doc)
    for (let index = 0; index < 24; index++) {
      if (random(2) === 0) edit(person, random, writer, { mayDelete: () => false, mayFormat: true })
      else edit(run, random, agentWriter, agentRules)
      if (index % 8 === 7) scene.endStep('r', ['a', 'b', 'c'][(index - 7) / 8]!)
    }
    const withRun = characters(scene.doc).filter((character) => !isOfPeople(character))
    for (let round = 0; round < 6; round++) {
      const undone: UndonePart[] = all.filter(() => random(2) === 0)
      scene.make('r', undone)
      edit(person, random, writer, { mayDelete: () => false, mayFormat: true })
      const kept = characters(scene.doc).filter(isOfPeople)
      expect(kept, `seed ${seed}: what people wrote`).toEqual(writer.written())
    }
    scene.make('r', all)
    const rest = (): string[] => characters(scene.doc).filter((character) => !isOfPeople(character))
    expect(rest(), `seed ${seed}: undone`).toEqual(original)
    scene.make('r', [])
    expect(rest(), `seed ${seed}: redone`).toEqual(withRun)
    expect(characters(run), `seed ${seed}: converged`).toEqual(characters(scene.doc))
  }
})
