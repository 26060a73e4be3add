import type { ReactNode } from 'react'

type FigureTableProps = {
  /** The name of the scrolling region. */
  label: string
  caption?: ReactNode
  /** The title of the names, and those of the figures. */
  titles: readonly [string, ...string[]]
  /** A name with its figures in words. */
  rows: readonly { name: string; figures: readonly string[] }[]
  /** The classes of the region, of a name and of a figure. */
  looks: { region: string; name: string; figure?: string }
}

export function FigureTable({ label, caption, titles: [first, ...titles], rows, looks }: FigureTableProps) {
  const cell = `py-1.5 ps-3 text-end tabular-nums ${looks.figure ?? ''}`
  return (
    <div className={looks.region} tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-start text-sm">
        {caption}
        <thead>
          <tr className="border-b border-line text-ink-soft">
            <th scope="col" className="py-1.5 pe-3 text-start font-medium">
              {first}
            </th>
            {titles.map((title) => (
              <th key={title} scope="col" className={`${cell} font-medium`}>
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures }, index) => (
            <tr key={index} className="border-b border-line last:border-0">
              <th scope="row" className={`py-1.5 text-start font-normal ${looks.name}`}>
                <bdi>{name}</bdi>
              </th>
              {figures.map((figure, at) => (
                <td key={at} className={cell}>
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
