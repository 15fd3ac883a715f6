// Names of colours and places, as the server writes them: `12` an outer square, `rS` red's Start,
// `r1` ... `r5` its safety squares, `rH` its Home.

export const COLOURS = ["red", "blue", "yellow", "green"];
export const LETTERS = "rbyg";
export const GRID = 16;
export const SIDE = 15; // outer squares of one colour's side
export const TRACK = 60;
export const ENTRY_OFFSET = 2; // the last outer square before the safety zone
export const CIRCLE_OFFSET = 4; // where pawns come out of Start

export const isOuter = (place) => place[0] >= "0" && place[0] <= "9";
export const isStart = (place) => !isOuter(place) && place[1] === "S";
export const isHome = (place) => place[1] === "H";

/** The colour 0 ... 3 that a private place belongs to, -1 for an outer square. */
export const colourOf = (place) => LETTERS.indexOf(place[0]);

/** The colour 0 ... 3 of a seat's name; -1 for a seat of the dice game. */
export const colourIndex = (seat) => COLOURS.indexOf(seat);

export const startOf = (seat) => `${seat[0]}S`;
export const homeOf = (seat) => `${seat[0]}H`;
