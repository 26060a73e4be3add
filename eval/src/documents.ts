/** Documents that several cases share; short, and of kinds that people write. */

export const contract = `# Services Agreement

This Services Agreement is made between Northwind Ltd. ("Supplier") and Contoso GmbH ("Customer").

## 1. Services

Supplier delivers the services described in Annex A.

## 2. Fees

Customer pays $4,000 a month within 30 days of the invoice date.

## 3. Liability

Supplier's total liability under this agreement is limited to $100k.

Supplier is not liable for any damage whatsoever, including damage caused intentionally.

## 4. Term

This agreement runs for one year and renews automatically.
`

export const minutes = `# Team meeting, 4 May

Present: Ana, Ben, Chloé

## Decisions

- Ship version 2.1 on Friday
- Move the standup to 9:30
- Hire a second designer

## Action items

1. Ben writes the release notes
2. Ana books the room
3. Chloé calls the printer

## Open questions

Who owns the newsletter?
`

export const recipe = `# Pumpkin soup

A quick soup for cold evenings.

## Ingredients

- 1 kg pumpkin
- 2 onions
- 1 l vegetable stock
- salt and pepper

## Method

Chop the onions and fry them in butter. Add the pumpkin and fry for five minutes.

Pour in the stock and simmer for 20 minutes. Blend the soup until it is smooth.

## Notes

Tastes even better the next day.
`

export const report = `# Quarterly report

The team recieved teh new laptops in March. Teh setup took two days, wich is less than expected.

## Sales

Sales grew by 12 % compared to the previus quarter. The the main driver was the new shop.

## Outlook

We expect a similiar result next quarter, but there maintenance costs will rise.
`

export const essay = `# Why we bike

Cycling is cheap. It is very, very healthy, and it is fun.

## Cost

A bicycle costs about 300 euros. A car costs more than 20,000 euros. Running a car is expensive too.

## Health

Studies show that cycling lowers the risk of heart disease. Doctors recommend half an hour a day.

## Weather

Rain is a matter of clothing. Snow is harder, but studded tyres help.
`

export const readme = `# Widget CLI

A small command line tool for **widgets**. See the [handbook](https://widgets.example/handbook).

## Install

\`\`\`bash
npm install widget-cli
\`\`\`

## Options

| Option | Default | Meaning |
| --- | --- | --- |
| port | 8080 | where it listens |
| verbose | off | prints more |

## Example

\`\`\`js
const widget = createWidget({ size: 3 })
widget.start()
\`\`\`

Run \`widget --help\` for more.
`

export const prices = `# Prices

| Item | Price | Stock |
| --- | --- | --- |
| Tea | 2 | 10 |
| Coffee | 3 | 5 |
| Cocoa | 4 | 0 |

All prices in euros.
`

export const club = `# Chess club

We meet every Tuesday at seven.

The room is upstairs, next to the bar.

Bring your own board.

## Fees

Members pay 20 euros a year.

Guests pay 2 euros an evening.

## Contact

Write to chess@club.example.
`

export const physics = `# Circles and energy

The area of a circle is $A = \\pi r^2$, as everybody knows.

$$
E = mc^2
$$

![A cat](https://pictures.example/cat.png)

---

See the [rules](https://lab.example/old) before you start.
`

export const chores = `# Chores

- [ ] buy milk
- [x] call Ana
  - [ ] ask about Friday
- [ ] water the plants

Done by Sunday.
`

/**
 * The text once for each way of choosing a replacement for each found text; for commands with several right outcomes.
 */
export function variants(text: string, choices: Readonly<Record<string, readonly string[]>>): string[] {
  let texts = [text]
  for (const [find, replacements] of Object.entries(choices)) {
    texts = texts.flatMap((each) => replacements.map((replacement) => swap(each, find, replacement)))
  }
  return texts
}

/**
 * The text with pairs of texts exchanged one after the other, each only at its first occurrence.
 * @throws if one isn't there, since the case would then expect nothing.
 */
export function edited(text: string, ...pairs: readonly (readonly [find: string, replace: string])[]): string {
  return pairs.reduce((result, [find, replace]) => swap(result, find, replace), text)
}

function swap(text: string, find: string, replace: string): string {
  const at = text.indexOf(find)
  if (at < 0) throw new Error(`a case expects ${JSON.stringify(find)} in its document`)
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
