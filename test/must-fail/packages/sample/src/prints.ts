// breaks: eslint(no-console)
console.log("x");
