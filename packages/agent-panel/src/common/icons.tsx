const paths = {
  alert: 'M12 7v6m0 3.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  comment: 'M4 5h16v11.500H10L5.500 20v-3.500H4z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dashed: 'M12 3a9 9 0 0 1 6.4 2.6M21 12a9 9 0 0 1-2.6 6.4M12 21a9 9 0 0 1-6.4-2.6M3 12a9 9 0 0 1 2.6-6.4',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  format: 'M5 7V5h14v2M12 5v14M9 19h6',
  hand: 'M8 13V6a1.5 1.5 0 0 1 3 0v5V4.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v9a6 6 0 0 1-6 6c-3 0-4.5-1.5-6.5-4.5L4 14.500a1.400 1.400 0 0 1 2.200-1.700z',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9v.010',
  pencil: 'M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19z',
  plan: 'M10 6h10M10 12h10M10 18h10M4 6l1 1 2-2M4 12l1 1 2-2M4 18l1 1 2-2',
  plus: 'M12 5v14M5 12h14',
  read: 'M12 7v13M12 7C10 5.500 7 5 3.500 5v13c3.500 0 6.500.500 8.500 2 2-1.500 5-2 8.500-2V5C17 5 14 5.500 12 7z',
  redo: 'M15 4l5 5-5 5M20 9H10a5.500 5.500 0 0 0 0 11h3',
  retry: 'M20 5v5h-5M19.500 10A8 8 0 1 0 20 14',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20',
  send: 'M12 19V5M5.500 11.500L12 5l6.500 6.500',
  spark: 'M12 3l2 6.500L20.500 12 14 14.500 12 21l-2-6.500L3.500 12 10 9.500z',
  spinner: 'M12 3a9 9 0 1 1-9 9',
  stop: 'M7 7h10v10H7z',
  tools:
    'M14.500 6.500a4 4 0 0 1 5-2.500l-2.500 2.500.500 1.500 1.500.500L21.500 6a4 4 0 0 1-5.500 4.800L8 19a2.100 2.100 0 0 1-3-3l8.200-8z',
  trash: 'M4 7h16M9.500 7V4h5v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  undo: 'M9 4L4 9l5 5M4 9h10a5.500 5.500 0 0 1 0 11h-3',
} as const

/** The icons that the panel draws itself. */
export type IconName = keyof typeof paths

/** An icon in the colour of the surrounding text; decorative. */
export function Icon({ name, size = 14 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`ap-icon ap-icon-${name}`}
    >
      <path d={paths[name]} />
    </svg>
  )
}
