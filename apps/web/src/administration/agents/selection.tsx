type SelectionProps = {
  label: string
  /** The words for all options, also those that will come. */
  all: string
  options: readonly { id: string; name: string }[]
  /** Null for all. */
  chosen: readonly string[] | null
  onChange: (chosen: string[] | null) => void
}

/** Everything, or some of many options. */
export function Selection({ label, all, options, chosen, onChange }: SelectionProps) {
  return (
    <fieldset className="sm:col-span-2">
      <legend className="text-sm font-medium">{label}</legend>
      <Option name={all} checked={chosen === null} onChange={(on) => onChange(on ? null : [])} />
      {chosen !== null && (
        <div className="mt-1 grid max-h-60 overflow-auto rounded-md border border-line px-3 py-1 sm:grid-cols-2">
          {options.map(({ id, name }) => (
            <Option
              key={id}
              name={name}
              checked={chosen.includes(id)}
              onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

type OptionProps = { name: string; checked: boolean; onChange: (on: boolean) => void }

function Option({ name, checked, onChange }: OptionProps) {
  return (
    <label className="flex min-h-8 min-w-0 items-center gap-2 text-sm pointer-coarse:min-h-10">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <bdi className="min-w-0 break-words">{name}</bdi>
    </label>
  )
}
