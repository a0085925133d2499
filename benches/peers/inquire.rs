//! The smallest program that asks with `inquire`'s MultiSelect: what askwell's start, memory and
//! keys are measured against. Usage: `inquire-peer QUESTION OPTION..`

#![allow(clippy::print_stdout, reason = "a program, not a library")]

fn main() -> Result<(), inquire::InquireError> {
    let mut arguments = std::env::args().skip(1);
    let question = arguments.next().unwrap_or_default();
    let chosen = inquire::MultiSelect::new(&question, arguments.collect()).prompt()?;
    println!("{}", chosen.join("\n"));
    Ok(())
}
