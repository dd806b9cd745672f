/**
 * Shows the shell of this address before the app's script has come, and asks for what its screen
 * needs. A script of its own, small and without imports at run time: the page waits for it.
 */
import { SESSION_COOKIE } from '#src/config/paths.ts'
import { cookieValue } from '#src/local/session/cookies.ts'

const who = cookieValue(document.cookie, SESSION_COOKIE) === null ? 'visitor' : 'user'
const shells = [...document.querySelectorAll<HTMLTemplateElement>('template[data-shell]')]
const find = (name: string) => shells.find(({ dataset }) => dataset['shell'] === name)
const shell = find(`${who} ${location.pathname}`) ?? find(who)
if (shell !== undefined) {
  document.getElementById('root')?.append(shell.content)
  for (const href of shell.dataset['scripts']?.split(' ') ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    link.fetchPriority = 'low'
    document.head.append(link)
  }
}
for (const each of shells) each.remove()
