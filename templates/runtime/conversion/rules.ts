/** The words of a converter for the rules of project.yaml. */
export { castFromText, castToText } from './casting';
export { custom } from './custom';
export { listAsMap, mapAsList } from './indexes';
export { join, joinedList } from './joining';
export { mapping } from './mapping';
export { scaling } from './scaling';
export { firstOfHub, firstOfSpoke } from './wraps';
