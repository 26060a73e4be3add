import { type ComponentType, lazy, Suspense } from 'react'
import { useTexts } from '../language/panel-language.tsx'

/**
 * A component whose code loads when it is first rendered, with `Placeholder` in its place until then and on servers. If
 * loading fails, for example after an update of the app, a line asks for a reload.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType<Props> = Nothing,
): ComponentType<Props> {
  function NotLoaded(props: Props) {
    const texts = useTexts()
    return (
      <>
        <Placeholder {...props} />
        <p className="ap-soft">{texts.notLoaded}</p>
      </>
    )
  }
  const Loaded = lazy<ComponentType<Props>>(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded }),
    ),
  )
  return function Late(props: Props) {
    return (
      <Suspense fallback={<Placeholder {...props} />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

function Nothing() {
  return null
}
