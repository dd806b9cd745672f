/** One shell: for people with or without a login, at one address, or where there is no other. */
export interface WrittenShell {
  readonly who: 'user' | 'visitor'
  readonly path: string | null
  readonly html: string
  /** The end of the path of the module whose screen takes its place; null for several screens. */
  readonly screen: string | null
}
