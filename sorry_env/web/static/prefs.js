// What a person likes, kept in this browser: speed, notation, the games they sit in.

const KEY = "sorry_env";
const DEFAULTS = {
  speed: "normal", notation: false, turned: true, bot: null, analysis: false, tab: "moves", games: {},
};

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // storage may be closed to us; likes then last as long as the page
  }
}

const prefs = load();

export const like = (name) => prefs[name];

export function setLike(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    return; // as above
  }
}

/** Remember that we sit in a game, so that the list of games can bring us back to our seats. */
export function rememberSecrets(game, secrets) {
  const games = Object.entries({ ...prefs.games, [game]: secrets });
  setLike("games", Object.fromEntries(games.slice(-200)));
}

export const secretsOf = (game) => prefs.games[game] ?? [];

/** Milliseconds a pawn takes for a square, by the name of a speed. */
export const STEP_MS = { slow: 260, normal: 130, fast: 45, instant: 0 };
export const SPEEDS = [
  ["slow", "Slow"], ["normal", "Normal"], ["fast", "Fast"], ["instant", "At once"],
];
