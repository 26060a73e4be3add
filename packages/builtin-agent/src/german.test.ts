import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fenceAsData } from '@copydesk/agent'
import { createMemoryToolbox } from '@copydesk/agent/testing'
import { describe, expect, test } from 'vitest'
import { parseCommand } from './grammar.ts'
import { say } from './language/answers.ts'
import german from './language/de.json' with { type: 'json' }
import english from './language/en.json' with { type: 'json' }
import { examples } from './language/language.ts'
import { playCommand } from '../testing/play-command.ts'

const sample = () => ['# Notizen', 'Der Hund sah den Hund.', 'Wir haben sehr gute Laune.']

describe('[LANG-10] a command in German is carried out and answered in German', () => {
  test.each([
    ['ersetze Hund durch Katze', 1, 'Der Katze sah den Katze.', '- Hund → Katze (2×)'],
    ['@agent bitte ersetze „Hund“ überall durch „Katze“!', 1, 'Der Katze sah den Katze.', /^- Hund → Katze/],
    ['Könntest du bitte den letzten "Hund" in "Wolf" ändern?', 1, 'Der Hund sah den Wolf.', '- Hund → Wolf'],
    ['ersetze sehr durch das', 2, 'Wir haben das gute Laune.', '- sehr → das'],
    ['lösche das Wort sehr', 2, 'Wir haben gute Laune.', '- „sehr“ gelöscht'],
    ['mach "gute Laune" fett', 2, 'Wir haben sehr **gute Laune**.', '- „gute Laune“: fett'],
    ['mach sehr durchgestrichen', 2, 'Wir haben ~~sehr~~ gute Laune.', '- „sehr“: durchgestrichen'],
    ['mach "Wir haben sehr gute Laune." zur Überschrift 3', 2, '### Wir haben sehr gute Laune.', /: Überschrift$/],
    ['füge "Tschüss." am Ende ein', 3, 'Tschüss.', '- „Tschüss.“ eingefügt'],
    ['füge eine Überschrift "Plan" hinzu', 3, '## Plan', '- „## Plan“ eingefügt'],
    ['füge "Neu" vor "Wir haben" ein', 2, 'Neu ', '- „Neu“ eingefügt'],
    ['hänge an: Bis bald.', 3, 'Bis bald.', '- „Bis bald.“ eingefügt'],
  ])('%s', async (instruction, block, text, answer) => {
    const toolbox = createMemoryToolbox(sample())
    const outcome = await playCommand(instruction, toolbox)
    expect(outcome.answer).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer))
    expect(toolbox.blocks[block]).toBe(text)
  })

  test.each([
    ['wie viele Wörter hat das Dokument?', 'Das Dokument hat 11 Wörter.'],
    ['gib mir eine Gliederung', '3 Blöcke, 11 Wörter, 1 Überschrift\n- Notizen'],
    ['wie oft kommt Hund vor?', '„Hund“ kommt 2-mal vor.'],
    ['wo steht "Einhorn"?', '„Einhorn“ kommt im Dokument nicht vor.'],
    ['ersetze Einhorn durch Pferd', /^Ich habe „Einhorn“ nicht gefunden: .* Ich habe nichts geändert\.$/],
    ['was kannst du?', /^Ich bin der eingebaute Agent/],
  ])('%s', async (instruction, answer) => {
    const outcome = await playCommand(instruction, createMemoryToolbox(sample()))
    expect(outcome.answer).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer))
  })

  test('"das" is the selection, and the answer to a failure follows its code', async () => {
    const toolbox = createMemoryToolbox(sample(), { selection: 'gute Laune' })
    await playCommand('mach das kursiv', toolbox, fenceAsData('selection', 'gute Laune'))
    expect(toolbox.blocks[2]).toBe('Wir haben sehr *gute Laune*.')
    const execute = toolbox.execute.bind(toolbox)
    toolbox.execute = async (call, options) =>
      call.name === 'edit_document'
        ? { ok: false, text: 'Error (denied): you may only comment\nhint', summary: '' }
        : execute(call, options)
    expect((await playCommand('lösche sehr', toolbox)).answer).toBe('- Nicht geändert: Das ist nicht erlaubt.')
  })
})

test('[LANG-10] where the request tells no language, the answer is in that of the caller', async () => {
  const system = 'You are the agent.\n\nWhere the request tells no language, answer in German.\n\nMode: edit.'
  const answers = async (instruction: string) =>
    (await playCommand(instruction, createMemoryToolbox(sample()), system)).answer
  expect(await answers('')).toMatch(/^Ich bin der eingebaute Agent/)
  expect(await answers('Pferd -> Kuh')).toMatch(/^Ich habe „Pferd“ nicht gefunden/)
  expect(await answers('replace Pferd with Kuh')).toMatch(/^I did not find “Pferd”/)
})

test('[LANG-10] each command that a refusal or the help offers is understood as shown, in each language', () => {
  for (const language of ['en', 'de'] as const)
    for (const command of examples[language].flatMap(({ commands }) => say(commands)(language).split(' · '))) {
      const parsed = parseCommand(command, 'Hund')
      expect([command, parsed.kind === 'declined', parsed.language]).toEqual([command, false, language])
    }
})

test('[LANG-2] each text of an answer is in German with the same values, and none that no answer needs', () => {
  const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\w+(?=[,}])/g))].toSorted()
  const files = globSync('{,language/}*.ts', { cwd: import.meta.dirname })
  const source = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const texts = Object.entries(german.texts).filter(([english]) => !Object.hasOwn(german.examples, english))
  // The words of a choice look like values.
  const plain = texts.filter(([english]) => !english.includes(', select, '))
  expect(plain.filter(([english, text]) => String(valuesOf(english)) !== String(valuesOf(text)))).toEqual([])
  expect(texts.filter(([english]) => !source.includes(`'${english}'`))).toEqual([])
  expect(Object.keys(german.examples)).toEqual(Object.keys(english.examples))
  expect(Object.keys(english.names).filter((name) => !Object.hasOwn(german.names, name))).toEqual([])
})

test.each([
  'lösche den ersten Absatz',
  'ersetze den zweiten Satz durch etwas Besseres',
  'ersetze Hund durch Katze und Maus',
  'mach alle Überschriften fett',
  'mach den Text schöner',
  'füge hier Beispiele ein',
  'schreibe ein Gedicht über Katzen',
  'lösche Hund nicht',
  'lösche das nicht. ersetze Hund durch Katze',
  'nimm den Vorschlag von Ana an',
  'übersetze das ins Englische',
  'kürze den zweiten Abschnitt',
])('[LANG-10] what is not surely understood is declined in German: %s', async (instruction) => {
  const toolbox = createMemoryToolbox(sample())
  const { answer } = await playCommand(instruction, toolbox)
  expect(answer).toMatch(/^.+ Ich habe nichts geändert\.\nSie können sagen: [^·\n]+ · [^·\n]+ · [^·\n]+$/)
  expect(toolbox.calls).toEqual([])
})
