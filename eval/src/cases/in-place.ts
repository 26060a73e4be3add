import { becomes } from '../checks.ts'
import { chores, edited, physics } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, format, formatBlocks } from '../scripting.ts'

const tick = (find: string, checked: boolean) =>
  call('apply_formatting', { target: { type: 'text', find }, format: { type: 'taskList', checked } })

const cat = '![A cat](https://pictures.example/cat.png)'
const smallCat = '<img src="https://pictures.example/cat.png" alt="A cat" width="300">'

/** Formulas, images, rules, links and task items, which text editing alone doesn't reach. */
export const inPlace = inGroup('in-place', [
  {
    id: 'formula-in-text',
    document: physics,
    ask: 'write the area with the diameter: \\pi d^2 / 4',
    script: [edit('$A = \\pi r^2$', '$A = \\pi d^2 / 4$'), '- formula changed'],
    check: becomes(
      ...['\\pi d^2 / 4', '\\pi d^2/4', '\\frac{\\pi d^2}{4}'].map((area) => edited(physics, ['\\pi r^2', area])),
    ),
  },
  {
    id: 'part-of-a-formula',
    document: physics,
    ask: 'it must be r cubed in the first formula (dont ask why)',
    script: [edit('r^2', 'r^3'), '- r^2 → r^3'],
    check: becomes(edited(physics, ['r^2', 'r^3'])),
  },
  {
    id: 'formula-of-its-own',
    document: physics,
    ask: 'Energieformel bitte relativistisch, also mit \\gamma vor dem m',
    script: [edit('$$\nE = mc^2\n$$', '$$\nE = \\gamma mc^2\n$$'), '- Formel geändert'],
    check: becomes(...['\\gamma mc^2', '\\gamma m c^2'].map((energy) => edited(physics, ['mc^2', energy]))),
  },
  {
    id: 'formula-away',
    document: physics,
    ask: 'remove the energy formula',
    script: [call('delete_blocks', { block: 2 }), '- removed'],
    check: becomes(edited(physics, ['$$\nE = mc^2\n$$\n\n', ''])),
  },
  {
    id: 'image-description',
    document: physics,
    ask: 'the picture shows a dog, not a cat. fix the description',
    script: [edit('![A cat]', '![A dog]'), '- description fixed'],
    check: becomes(edited(physics, ['![A cat]', '![A dog]'])),
  },
  {
    id: 'image-size',
    document: physics,
    ask: 'the cat is huge, 300 px wide is plenty',
    script: [edit(cat, smallCat), '- 300 pixels wide'],
    check: becomes(edited(physics, [cat, smallCat])),
  },
  {
    id: 'image-away',
    document: physics,
    ask: 'quita la imagen del gato',
    script: [call('delete_blocks', { block: 3 }), '- quitada'],
    check: becomes(edited(physics, [`${cat}\n\n`, ''])),
  },
  {
    id: 'rule-to-heading',
    document: physics,
    ask: 'instead of the horizontal line I want a heading 2 "Before you start"',
    script: [edit('---', '## Before you start'), '- heading instead of the line'],
    check: becomes(edited(physics, ['---', '## Before you start'])),
  },
  {
    id: 'rule-away',
    document: physics,
    ask: 'lose the separator line',
    script: [call('delete_blocks', { block: 4 }), '- removed'],
    check: becomes(edited(physics, ['---\n\n', ''])),
  },
  {
    id: 'link-address',
    document: physics,
    ask: 'the rules have moved to https://lab.example/safety',
    script: [edit('https://lab.example/old', 'https://lab.example/safety'), '- link updated'],
    check: becomes(edited(physics, ['https://lab.example/old', 'https://lab.example/safety'])),
  },
  {
    id: 'link-text',
    document: physics,
    ask: 'say "safety rules" in the link, same address',
    script: [edit('[rules](https://lab.example/old)', '[safety rules](https://lab.example/old)'), '- link text'],
    check: becomes(edited(physics, ['[rules]', '[safety rules]'])),
  },
  {
    id: 'tick',
    document: chores,
    ask: 'milk is bought',
    script: [tick('buy milk', true), '- ticked'],
    check: becomes(edited(chores, ['[ ] buy milk', '[x] buy milk'])),
  },
  {
    id: 'untick',
    document: chores,
    ask: "I haven't called Ana yet, untick that",
    script: [edit('- [x] call Ana', '- [ ] call Ana'), '- open again'],
    check: becomes(edited(chores, ['[x] call Ana', '[ ] call Ana'])),
  },
  {
    id: 'tick-all',
    document: chores,
    ask: 'alles erledigt, hak alles ab',
    script: [formatBlocks(1, 4, 'taskList', { checked: true }), '- alles abgehakt'],
    check: becomes(chores.replaceAll('[ ]', '[x]')),
  },
  {
    id: 'nested-item',
    document: chores,
    ask: 'tick the sub-point and make it say Saturday',
    script: [edit('  - [ ] ask about Friday', '  - [x] ask about Saturday'), '- ticked, Saturday'],
    check: becomes(edited(chores, ['[ ] ask about Friday', '[x] ask about Saturday'])),
  },
  {
    id: 'indent-item',
    document: chores,
    ask: 'indent "water the plants" so that it belongs to the Ana point',
    script: [call('move_blocks', { block: 4, after: 3 }), '- indented'],
    check: becomes(edited(chores, ['- [ ] water', '  - [ ] water'])),
  },
  {
    id: 'checklist-to-bullets',
    document: chores,
    ask: 'no checkboxes please, simple bullets',
    script: [formatBlocks(1, 4, 'bulletList'), '- bullets'],
    check: becomes(chores.replaceAll(/\[[ x]\] /g, '')),
  },
  {
    id: 'emphasis-in-link',
    document: physics,
    ask: 'bold the word rules, it should stay a link',
    script: [format('rules', 'bold'), '- bold'],
    check: becomes(
      edited(physics, ['[rules](https://lab.example/old)', '[**rules**](https://lab.example/old)']),
      edited(physics, ['[rules](https://lab.example/old)', '**[rules](https://lab.example/old)**']),
    ),
  },
])
