// Runs before the first paint: sets the theme that was chosen in this browser, else the system's.
;(() => {
  let choice = null
  try {
    // Earlier versions kept the choice under another name.
    const old = localStorage.getItem('copydesk.theme')
    if (old) localStorage.setItem('copydesk theme', old)
    localStorage.removeItem('copydesk.theme')
    choice = localStorage.getItem('copydesk theme')
  } catch {}
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
