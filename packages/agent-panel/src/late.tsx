import { type ComponentType, lazy, Suspense } from 'react'

/**
 * A component whose code loads when it is first rendered, with nothing in its place until then. Where that fails, as
 * after an update of the app, a line asks for a reload.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy<ComponentType<Props>>(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded }),
    ),
  )
  return function Late(props: Props) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

function NotLoaded() {
  return <p className="ap-soft">This couldn’t be loaded. Reload the page.</p>
}
