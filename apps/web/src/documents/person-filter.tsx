import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { useKnownPeople } from '../sharing/use-known-people.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields/choice-field.tsx'

type PersonFilterProps = {
  person: string | null
  onPerson: (person: string | null) => void
  /** The button that opens the choice, with the name of the chosen person. */
  trigger: (name: string | undefined) => ReactNode
}

/** Chooses a person who has opened the documents of the list. */
export function PersonFilter({ person, onPerson, trigger }: PersonFilterProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [active, setActive] = useState<string>()
  const people = useKnownPeople(text, { enabled: isOpen || person !== null })
  // Names are only searched, not looked up by id: that of the chosen person is kept from the choice.
  const [chosen, setChosen] = useState<{ id: string; name: string }>()
  const found = people.find(({ id }) => id === person) ?? (chosen?.id === person ? chosen : undefined)
  const choose = (id: string | null) => {
    setChosen(people.find((each) => each.id === id))
    onPerson(id)
    setOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        {trigger(person === null ? undefined : (found?.name ?? t('One person')))}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t('People')}
          className="pop z-50 w-72 rounded-xl border border-line bg-surface p-2 shadow-raised"
        >
          <ChoiceField
            label={t('Person who has opened the documents')}
            placeholder={t('Find a person')}
            text={text}
            onText={setText}
            choices={people.map(({ id, name, color }) => ({
              key: id,
              name,
              icon: <Avatar name={name} color={color} kind="person" size={22} />,
            }))}
            value={active ?? person ?? people[0]?.id}
            onValue={setActive}
            onChosen={choose}
            empty={t('Nobody you share documents with has this name.')}
          />
          {person !== null && (
            <Button className="mt-2 w-full" onClick={() => choose(null)}>
              {t('Documents of anyone')}
            </Button>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
