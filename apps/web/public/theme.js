// Runs before the first paint: sets the theme that was chosen in this browser, else the system's.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('copydesk.theme')
  } catch {}
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
