const paths = {
  alert: 'M12 7v6m0 3.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dashed: 'M12 3a9 9 0 0 1 6.4 2.6M21 12a9 9 0 0 1-2.6 6.4M12 21a9 9 0 0 1-6.4-2.6M3 12a9 9 0 0 1 2.6-6.4',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hand: 'M8 13V6a1.5 1.5 0 0 1 3 0v5V4.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v9a6 6 0 0 1-6 6c-3 0-4.5-1.5-6.5-4.5L4 14.500a1.400 1.400 0 0 1 2.200-1.700z',
  pencil: 'M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19z',
  redo: 'M15 4l5 5-5 5M20 9H10a5.500 5.500 0 0 0 0 11h3',
  retry: 'M20 5v5h-5M19.500 10A8 8 0 1 0 20 14',
  send: 'M12 19V5M5.500 11.500L12 5l6.500 6.500',
  spark: 'M12 3l2 6.500L20.500 12 14 14.500 12 21l-2-6.500L3.500 12 10 9.500z',
  spinner: 'M12 3a9 9 0 1 1-9 9',
  stop: 'M7 7h10v10H7z',
  undo: 'M9 4L4 9l5 5M4 9h10a5.500 5.500 0 0 1 0 11h-3',
} as const

/** The icons that the panel draws itself. */
export type IconName = keyof typeof paths

/** An icon in the colour of the text around it; decorative. */
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
