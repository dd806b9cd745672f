/**
 * The limits that keep one account from taking what others need, each with its reason. What an
 * operator may change is a setting (env.ts); docs/budgets.md explains both.
 */

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/**
 * Room for the files of edits that uploads leave free beside what the database keeps: an edit that
 * was paid can still be made when uploads have filled the disk.
 */
export const RESULTS_ROOM_BYTES = GIB

/**
 * What an upload reserves before it has sent more: a few parts on each of its connections. Twenty
 * uploads without a byte then hold little more than one gigabyte.
 */
export const HEAD_START_BYTES = 64 * MIB

/** An upload without a byte for this long reserves nothing but what it has sent. */
export const PROMISE_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * The files of an account may take this many times the room that they leave free. Alone, an account
 * gets two thirds of the disk; the next one gets two thirds of the rest, so that a full account
 * never leaves another one without room.
 */
export const TIMES_THE_REST = 2

/** How old the picture of the disk may be by which parts are let in; a look costs a few ms. */
export const ROOM_LOOK_MS = 1_000

/**
 * Estimated processor seconds up to which an edit or check is quick: about as long as a person
 * waits for it before the screen. More in one go is long.
 */
export const QUICK_S = 120

/** Rendering and its files need this much above the floor to begin. */
export const RENDER_ROOM_BYTES = GIB / 2

/** How often a slot looks again whether something that waits may begin; one small query. */
export const SLOT_LOOK_MS = 1_000

/**
 * The longest that a message waits for work that may begin. A message lives for a day, its wait and
 * its work together, so that work which began late would be cut off in the middle. The sweep queues
 * what still waits again, a minute later at most.
 */
export const LONGEST_SLOT_WAIT_MS = 60 * 60_000

/**
 * The longest that a worker keeps what it has made while it waits for a store that is away. No
 * other work could begin in its slot meanwhile.
 */
export const LONGEST_OUTAGE_MS = 60 * 60_000

/** The longest that work rests after it failed and before it is tried again. */
export const LONGEST_REST_MS = 60_000

/**
 * What one account may begin in an hour: far more than a person does, and few enough that a script
 * fills neither tables nor slots. Repeated requests of one key count once. Excerpts count here and
 * as unfinished uploads, and not in what an account may store: those of a video have at most half
 * of its bytes, which count there, and are deleted with its arrival.
 */
export const UPLOADS_PER_HOUR = 100
/** Each is a request of this server to another one, also where nothing comes of it. */
export const LINKS_PER_HOUR = 60
/** Requests for one file by addresses that need no session; a fetch may go on by Range. */
export const LINKED_RESULTS_PER_HOUR = 60
/** Each way to Google and back; a file that is chosen there takes one. */
export const DRIVE_LOGINS_PER_HOUR = 30
/** Each asks for all results of a job at most; of one account one file is sent at a time. */
export const DRIVE_SAVES_PER_HOUR = 60
/** Drives of one account, those that it disconnected included. */
export const DRIVES_OF_ACCOUNT = 10
/** Edits are asked for once in each order, and again when the choice changes before it is paid. */
export const CHOICES_PER_HOUR = 200
export const ORDERS_PER_HOUR = 100
/** Each reads all results of a job from the disk, also where only the rest of it is asked for. */
export const ARCHIVES_PER_HOUR = 60

/**
 * Calls of one account in one process. The app makes a few a second at most, also with all its
 * devices open; a script that makes more would keep a core busy with reads alone.
 */
export const CALLS_AT_ONCE = 2_000
export const CALLS_PER_SECOND = 20

/**
 * Calls without a session from one IPv4 address or IPv6 /64 in one process: a few hundred people
 * behind one address who open the front page at the same time. Of an IPv6 line a stranger has more
 * than one /64, so the /56 and the /48 around it count as well, as so many times one.
 */
export const STRANGER_CALLS_AT_ONCE = 600
export const STRANGER_CALLS_PER_SECOND = 10
export const STRANGER_SHARES = { '/64': 1, '/56': 2, '/48': 4 } as const

/**
 * Videos of one account that are searched for moments before an edit asks for it: a search costs
 * minutes of the processor and no tokens.
 */
export const SEARCHES_AHEAD_PER_HOUR = 10
/** How long a search ahead waits that paid edits keep from running, and when it is given up. */
export const SEARCH_AHEAD_REST_S = 60
export const KEEP_TRYING_AHEAD_MS = 24 * 60 * 60_000

/**
 * Processor seconds of one account in a day for what costs no tokens: checks, pieces of assets to
 * play, searches ahead. All 200 GB of an account, checked and searched, take half of it; who
 * brings files that are made to be slow gets an eighth of a processor.
 */
export const FREE_PROCESSOR_S_PER_DAY = 3 * 60 * 60

/**
 * Samples of edits that one account may ask for in a day, beside its processor time: each edit of a
 * few videos. They show three passages of a video at most, so that they do not add up to one.
 */
export const SAMPLES_PER_DAY = 40
/** Old ones go; asking again makes another one. */
export const SAMPLE_LIFE_MS = 24 * 60 * 60_000
/**
 * For this long a sample lets paid edits go first; then it is made beside them, one at a time in a
 * process, because a person waits for it who decides.
 */
export const SAMPLE_YIELDS_MS = 30_000
export const SAMPLE_REST_S = 3

/** Unfinished uploads go after this long without a part. The app says so. */
export const KEEP_UNFINISHED_DAYS = 7

/**
 * Assets of one account. An account has a few dozen intros and logos; this many are still one list
 * that is read at once.
 */
export const ASSETS_OF_ACCOUNT = 200
