/** A skeleton of a document's page while it loads, with the same layout. */
export function DocumentSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading the document" className="flex h-full flex-col">
      <div className="h-14 border-b border-line bg-surface" />
      <div className="h-12 border-b border-line bg-surface" />
      <TextSkeleton />
    </div>
  )
}

const widths = ['62%', '100%', '96%', '88%', '40%', '100%', '93%', '71%']

/** Grey lines as placeholders of text. */
export function TextSkeleton() {
  return (
    <div aria-hidden className="mx-auto flex w-full max-w-(--measure) flex-col gap-4 px-5 py-10">
      {widths.map((width, index) => (
        <div key={index} className={index === 0 ? 'skeleton mb-3 h-8' : 'skeleton h-4'} style={{ width }} />
      ))}
    </div>
  )
}
