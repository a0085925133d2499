//! The credentials of the programs of this user: one of each role, in owner-only files.

use askwell::inbox::wire::{LOCAL, NewCredential, NewSignIn, Role};
use askwell::inbox::{Place, Token};
use askwell_host::{Caller, Host};

use crate::report::{Exit, Failure};

/// Makes those that are not there, or that the store does not know.
pub async fn keep_local(host: &Host, place: &Place) -> Result<(), Failure> {
    for role in [Role::Asker, Role::Answerer, Role::Admin] {
        let token = Token::local(place, role).map_err(|error| unusable(role, &error))?;
        let known = token.and_then(|token| host.authenticate(token.secret()).ok());
        if known.is_some_and(|caller| caller.role() == role) {
            continue;
        }
        let person = (role == Role::Answerer).then(person);
        let new = NewCredential { role, name: LOCAL.to_owned(), person };
        let (_, secret) = host.create_credential(&Caller::owner(), new).await?;
        Token::new(secret).keep(place, role).map_err(|error| unusable(role, &error))?;
    }
    Ok(())
}

/// The code of a link that signs a browser in as the person of this user's own credential.
pub fn sign_in(host: &Host, place: &Place) -> Option<String> {
    let token = Token::local(place, Role::Answerer).ok().flatten()?;
    let caller = host.authenticate(token.secret()).ok()?;
    host.make_sign_in(&caller, &NewSignIn::default()).ok().map(|made| made.code)
}

/// Who answers here: the name of the account.
fn person() -> String {
    let names = ["USER", "LOGNAME"].map(|name| std::env::var(name).unwrap_or_default());
    let name = names.into_iter().find(|name| !name.trim().is_empty());
    name.unwrap_or_else(|| LOCAL.to_owned())
}

fn unusable(role: Role, error: &std::io::Error) -> Failure {
    let role = role.as_str();
    Failure::new(Exit::Failure, format!("the local credential of the {role} is unusable: {error}"))
}
